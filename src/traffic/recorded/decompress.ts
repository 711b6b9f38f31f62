import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/** Bytes that could not be read. A `fault` is a mistake of their sender; `unread` is not. */
export type Unreadable =
  | { readonly kind: "fault"; readonly problem: string }
  | { readonly kind: "unread"; readonly reason: string };

/** What was read, or why not. */
export type Read<Value> = { readonly kind: "read"; readonly value: Value } | Unreadable;

/** The largest content that is decompressed. */
export const maxContentBytes = 8 * 1024 * 1024;

/** By the name of the coding (RFC 9110, section 8.4.1). */
const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
};

/** Decompresses a body or message, within a limit. */
export function decompress(data: Uint8Array, coding = "identity"): Read<Uint8Array> {
  const name = coding.trim().toLowerCase();
  if (name === "identity" || name === "" || data.length === 0) return { kind: "read", value: data };
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decode === undefined) return { kind: "unread", reason: "a message in an unknown compression" };
  try {
    return { kind: "read", value: decode(data, { maxOutputLength: maxContentBytes }) };
  } catch (error) {
    if (error instanceof RangeError)
      return { kind: "unread", reason: "a message that is too large once it is decompressed" };
    return { kind: "fault", problem: `the message is not ${name}, as its header says` };
  }
}
