import { isJson, type Json, jsonOf, listOf } from "./messages.js";
import type { Forward, WireRequest } from "./wire.js";

/** Reads the message that a request names as its caller; undefined if the caller has no access. */
export async function readMessage(
  { path, headers }: WireRequest,
  forward: Forward,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Json | undefined> {
  const query = new URLSearchParams({ message_ids: `[${path.message_id}]`, ...parameters });
  const answer = await forward({
    ...{ method: "GET", target: `/api/v1/messages?${query}`, operationId: "getMessages", path: {} },
    headers: headers.filter(([name]) => /^(authorization|host)$/i.test(name)),
    body: Buffer.alloc(0),
  });
  const message = listOf(jsonOf(answer)?.messages)[0];
  return isJson(message) ? message : undefined;
}
