import type { Bytes } from "../contract/check.js";

/** Every byte value once: these bytes would not survive decoding as UTF-8 text. */
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, index) => index));

/** The bytes that a contract describes. */
export function bytesOf(bytes: Bytes): Buffer {
  if (bytes === "every-byte") return everyByte;
  if (bytes === "every-byte-reversed") return Buffer.from(everyByte).reverse();
  return "text" in bytes ? Buffer.from(bytes.text) : Buffer.alloc(bytes.length, bytes.fill);
}
