import type { CallerCredentials } from "../../../../src/chat/contract.js";

/** The Authorization header of a caller. */
export function basicAuth({ email, api_key }: CallerCredentials): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}` };
}
