import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { decompress, type Read, type Unreadable } from "../recorded/decompress.js";

/** The encoding of messages. */
export type Codec = "proto" | "json";

/** The protocol and encoding that a content type names. */
export interface CallFraming {
  readonly protocol: RpcProtocol;
  readonly codec: Codec;
  /** Whether the body is base64, as in `application/grpc-web-text`. */
  readonly isText: boolean;
}

const contentType = /^application\/(?:(grpc-web-text|grpc-web|grpc)(?:\+(proto|json))?|(proto|json))[ \t]*(?:;.*)?$/i;

/** The form of a call or response. Undefined for any other content type. */
export function formOf(header: string | undefined): CallFraming | undefined {
  const [, grpc = "", codec = "proto", connect] =
    contentType.exec(header ?? "")?.map((part) => part?.toLowerCase()) ?? [];
  if (connect !== undefined)
    return { protocol: "connect", codec: connect === "json" ? "json" : "proto", isText: false };
  if (grpc === "") return undefined;
  return {
    protocol: grpc === "grpc" ? "grpc" : "grpc-web",
    codec: codec === "json" ? "json" : "proto",
    isText: grpc === "grpc-web-text",
  };
}

/** Whether a content type is that of a streaming Connect call. The contract has no streaming RPC. */
export function isConnectStream(header: string | undefined): boolean {
  return /^application\/connect\+/i.test(header ?? "");
}

/** A message in the framing of gRPC and gRPC-Web. */
export interface MessageFrame {
  readonly flags: number;
  readonly data: Uint8Array;
}

/** The prefix of a message: a flag in one byte, and the length in four. */
const prefixLength = 5;
/** The flag of a message that is compressed. */
const compressedFlag = 1;

/** How many frames of a body are read. A call has one message, and perhaps trailers; each frame takes more memory than its five bytes. */
export const maxFrames = 16;

/** Splits a body into its frames. */
export function readFrames(body: Uint8Array): Read<readonly MessageFrame[]> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const frames: MessageFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (frames.length >= maxFrames) return fault(`expected one message, got more than ${maxFrames}`);
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

/** Makes a fault that the sender is responsible for. */
export function fault(problem: string): Extract<Unreadable, { kind: "fault" }> {
  return { kind: "fault", problem };
}

/** The body without the base64 of `application/grpc-web-text`, which may be padded at the end of every part. */
export function plainBody(body: Uint8Array, { isText }: CallFraming): Uint8Array {
  if (!isText) return body;
  const text = Buffer.from(body).toString("latin1");
  const plain = Buffer.alloc(Math.ceil((text.length * 3) / 4));
  let length = 0;
  // One part at a time: a list of them could take far more memory than the body.
  for (const [part] of text.matchAll(/[^=]+=*/g)) length += plain.write(part, length, "base64");
  return plain.subarray(0, length);
}
