import type { Api } from "../../runtime/rest/api.js";

/** The members of all successes and errors of the chat API. */
export const conventions = {
  success: { result: "success", msg: "" },
  error: { members: { result: "error" }, messages: ["msg"], code: "code" },
} satisfies Pick<Api, "success" | "error">;
