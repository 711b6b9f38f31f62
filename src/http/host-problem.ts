import type { IncomingMessage } from "node:http";

/** Says what is wrong with the Host header of a request (RFC 9112, section 3.2); undefined if it is right. */
export function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") count++;
  }
  if (count > 1) return "A request must have one Host header, not several";
  return count === 0 && httpVersion === "1.1" ? "A request of HTTP/1.1 must have a Host header" : undefined;
}
