import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { CallForm } from "./call-form.js";

/** A message in the framing of gRPC and gRPC-Web. */
export interface MessageFrame {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** Bytes that could not be read. A `fault` is a mistake of their sender; `unread` is not. */
export type Unreadable =
  | { readonly kind: "fault"; readonly problem: string }
  | { readonly kind: "unread"; readonly reason: string };

export type Read<Value> = { readonly kind: "read"; readonly value: Value } | Unreadable;

/** The prefix of a message: a flag in one byte, and the length in four. */
const prefixLength = 5;
/** The flag of a message that is compressed. */
const compressedFlag = 1;
/** The largest message that is decompressed. */
const maxMessageBytes = 8 * 1024 * 1024;

/** Splits a body into its frames. */
export function readFrames(body: Uint8Array): Read<readonly MessageFrame[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const frames: MessageFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const rest = bytes.length - at;
    if (rest < prefixLength) return fault(`${rest} bytes follow where a message has a prefix of ${prefixLength} bytes`);
    const [flags = 0, length] = [bytes[at], bytes.readUInt32BE(at + 1)];
    const start = at + prefixLength;
    if (length > bytes.length - start) {
      return fault(`the prefix announces ${length} bytes, but ${bytes.length - start} follow`);
    }
    frames.push({ flags, data: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return { kind: "read", value: frames };
}

/** Reads the only message of the frames of a body. */
export function readOnlyMessage(frames: readonly MessageFrame[], encoding: string | undefined): Read<Uint8Array> {
  const [frame] = frames;
  if (frame === undefined || frames.length > 1) return fault(`expected one message, got ${frames.length}`);
  if (frame.flags === 0) return { kind: "read", value: frame.data };
  if (frame.flags !== compressedFlag) return fault(`the message has the unknown flags ${frame.flags}`);
  if (encoding === undefined) return fault("the message is marked as compressed, but no header names its encoding");
  return decompress(frame.data, encoding);
}

/** Decompresses a message, within a limit. */
export function decompress(data: Uint8Array, encoding = "identity"): Read<Uint8Array> {
  try {
    const options = { maxOutputLength: maxMessageBytes };
    switch (encoding.toLowerCase()) {
      case "identity":
        return { kind: "read", value: data };
      case "gzip":
        return { kind: "read", value: gunzipSync(data, options) };
      case "br":
        return { kind: "read", value: brotliDecompressSync(data, options) };
      case "deflate":
        return { kind: "read", value: inflateSync(data, options) };
      default:
        return { kind: "unread", reason: "a message in an unknown compression" };
    }
  } catch (error) {
    const isLarge = error instanceof RangeError;
    return isLarge
      ? { kind: "unread", reason: "a message that is too large once it is decompressed" }
      : fault(`the message is not ${encoding}, as its header says`);
  }
}

/** Makes a fault that the sender is responsible for. */
export function fault(problem: string): Extract<Unreadable, { kind: "fault" }> {
  return { kind: "fault", problem };
}

/** The body without the base64 of `application/grpc-web-text`, which may be padded at the end of every part. */
export function plainBody(body: Uint8Array, { isText }: CallForm): Uint8Array {
  if (!isText) return body;
  const text = Buffer.from(body).toString("latin1");
  return Buffer.concat((text.match(/[^=]+=*/g) ?? []).map((part) => Buffer.from(part, "base64")));
}
