import type { ServerResponse } from "node:http";
import { sendText } from "../../../src/http/send-text.js";

/**
 * Answers a request with JSON text, or with nothing when the text is empty. The length is that of the text unless the headers have
 * one, as they do for HEAD; 204 has none (RFC 9110, section 8.6).
 */
export function writeJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = { "Content-Type": "application/json" },
): void {
  response.writeHead(status, status === 204 ? headers : { "Content-Length": Buffer.byteLength(text), ...headers });
  sendText(response, text);
}
