import type { ServerHttp2Stream } from "node:http2";
import { largestRequest, type Refusal } from "../calls/call-errors.js";

/** A flag of one byte, and the length of the message in four. */
export const prefixLength = 5;

/**
 * Reads the one message of a request in gRPC's framing (Length-Prefixed-Message of
 * https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). `done` is called once at most, and never when the stream breaks
 * off. It is called as soon as something is wrong, when not all of the request has come yet.
 */
export function readMessage(
  stream: ServerHttp2Stream,
  done: (message: Uint8Array | undefined, refusal?: Refusal) => void,
): void {
  let received: Buffer | undefined;
  let more: Buffer[] = [];
  let length = 0;

  function refuse(kind: Refusal): void {
    stop();
    done(undefined, kind);
  }

  function stop(): void {
    stream.off("data", take);
    stream.off("end", end);
  }

  function take(chunk: Buffer): void {
    length += chunk.length;
    if (received === undefined) received = chunk;
    else more.push(chunk);
    if (length < prefixLength) return;
    if (received.length < prefixLength) received = joined();
    const size = received.readUInt32BE(1);
    if (received[0] !== 0) refuse("bad-flag");
    else if (size > largestRequest) refuse("too-large");
    else if (length > prefixLength + size) refuse("not-one-message");
  }

  function joined(): Buffer {
    const all = Buffer.concat([received ?? Buffer.alloc(0), ...more]);
    more = [];
    return all;
  }

  function end(): void {
    const all = more.length === 0 && received !== undefined ? received : joined();
    if (length === 0) refuse("not-one-message");
    else if (length < prefixLength || length < prefixLength + all.readUInt32BE(1)) refuse("truncated");
    else done(all.subarray(prefixLength));
  }

  stream.on("data", take);
  stream.on("end", end);
}
