import type { IncomingHttpHeaders } from "node:http";

/**
 * The text of a header; the first one when there are several. Node reads the bytes as Latin-1, but servers send UTF-8, so it is
 * read as UTF-8 where that is possible.
 */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = typeof value === "object" ? value[0] : value;
  return first === undefined ? undefined : (utf8OrNothing(Buffer.from(first, "latin1")) ?? first);
}

/** Bytes as UTF-8, undefined when they are not. */
export function utf8OrNothing(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
