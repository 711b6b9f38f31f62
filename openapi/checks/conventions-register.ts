import { defineCheck } from "../../src/checks.js";

const limits = ["max_topic_length", "max_message_length", "max_file_upload_size_mib"];

/** In code, because the requirements do not show the shape of the response, so that a limit may be at any depth. */
export const conventionsRegister = defineCheck({
  id: "workflow conventions-register",
  operation: "conventions",
  summary: "The response of `POST /register` states the limits",
  rules: ["limits.register"],
  run: async ({ setUp, send, skip, fail }) => {
    await setUp("organization");
    const { status, body } = await send({ method: "POST", url: "/api/v1/register", as: "member" });
    if (status < 300 && typeof body !== "object") return skip("the response of POST /register is not JSON");
    if (status >= 300) return skip(`a call of POST /register without parameters does not succeed: status ${status}`);
    const numbers = new Set(namesOfNumbers(body));
    for (const name of limits) {
      if (!numbers.has(name)) fail(`the response of POST /register has no number \`${name}\``);
    }
  },
});

/** The names of all numbers in a JSON value, at any depth. */
function namesOfNumbers(body: unknown): string[] {
  const names: string[] = [];
  const queue = [body];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    for (const [name, inner] of Object.entries(Object(value))) {
      if (typeof inner === "number") names.push(name);
      else if (typeof inner === "object" && inner !== null) queue.push(inner);
    }
  }
  return names;
}
