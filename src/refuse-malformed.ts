import type { Duplex } from "node:stream";
import { errorEnvelope } from "./error-envelope.js";

/** Answers what is no HTTP request at all in the envelope of the chat API: a listener for `clientError` of an HTTP server. */
export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const body = JSON.stringify(errorEnvelope(tooLarge ? "The headers are too large" : "The request is not HTTP/1.1"));
  const status = tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}
