import { AsyncLocalStorage } from "node:async_hooks";
import type { Compression } from "@connectrpc/connect/protocol";

/** Looks at a message before it is decoded. Throws to refuse it. */
export type InspectMessage = (message: Uint8Array) => void;

const inspectors = new AsyncLocalStorage<InspectMessage>();

/** Makes a call whose messages are looked at, as far as they come with `inspectedBody` and `inspectedCompression`. */
export function inspectMessages<Result>(inspect: InspectMessage, call: () => Result): Result {
  return inspectors.run(inspect, call);
}

/** The prefix of a message of gRPC and gRPC-Web: a flag in one byte, and the length in four. */
const prefixLength = 5;

/** Passes a body on, and shows each of its messages before its last byte. Those that are compressed follow in `inspectedCompression`. */
export function inspectedBody(body: AsyncIterable<Uint8Array>, headers: Headers): AsyncIterable<Uint8Array> {
  const inspect = inspectors.getStore();
  const type = headers.get("content-type") ?? "";
  if (inspect === undefined) return body;
  if (/^application\/grpc/i.test(type)) return framed(body, inspect);
  const encoding = headers.get("content-encoding") ?? "identity";
  return encoding === "identity" ? whole(body, inspect) : body;
}

/** Makes a compression show what it decompresses. */
export function inspectedCompression({ name, compress, decompress }: Compression): Compression {
  return {
    name,
    compress,
    decompress: async (bytes, maxBytes) => {
      const message = await decompress(bytes, maxBytes);
      inspectors.getStore()?.(message);
      return message;
    },
  };
}

async function* whole(body: AsyncIterable<Uint8Array>, inspect: InspectMessage): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    pieces.push(piece);
    yield piece;
  }
  inspect(Buffer.concat(pieces));
}

async function* framed(body: AsyncIterable<Uint8Array>, inspect: InspectMessage): AsyncIterable<Uint8Array> {
  let held: Uint8Array[] = [];
  let missing = prefixLength;
  for await (const piece of body) {
    held.push(piece);
    missing -= piece.length;
    while (missing <= 0) {
      // One piece may hold thousands of messages, so it is not copied for each.
      const [first = new Uint8Array()] = held;
      const bytes = held.length === 1 ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(held);
      const end = prefixLength + bytes.readUInt32BE(1);
      const isWhole = bytes.length >= end;
      if (isWhole && bytes[0] === 0) inspect(bytes.subarray(prefixLength, end));
      held = [isWhole ? bytes.subarray(end) : bytes];
      missing = isWhole ? prefixLength - (bytes.length - end) : end - bytes.length;
    }
    yield piece;
  }
}
