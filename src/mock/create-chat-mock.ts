import { loadContract } from "../contract/rest/contract-file.js";
import type { Listening, ListenOptions } from "../listen.js";
import { createRestMock } from "./rest/create-rest-mock.js";

/** Serves the chat API like `createRestMock`. */
export async function createChatMock(options: ListenOptions = {}): Promise<Listening> {
  const conventions = {
    error: { body: { "/result": "error", "/msg": { type: "string" } }, code: "/code" },
    ignored: "/ignored_parameters_unsupported",
  } as const;
  return createRestMock({ ...(await loadContract()), "x-accord": conventions }, options);
}
