import type { UniversalClientFn } from "@connectrpc/connect/protocol";
import { trailerFlag } from "@connectrpc/connect/protocol-grpc-web";

/** The length of a frame's prefix: its flags and the length of its data. */
const prefixLength = 5;
/** Longer trailers are left to the client, which bounds them. */
export const maxTrailerBytes = 65_536;

/**
 * Wraps an HTTP client of gRPC-Web so that an error in the headers survives a trailer frame without a status, such as an empty one. Some
 * servers send it; the client of Connect would take it for a response without a message.
 */
export function acceptStatusInHeaders(client: UniversalClientFn): UniversalClientFn {
  return async (request) => {
    const response = await client(request);
    const isError = (response.header.get("grpc-status") ?? "0") !== "0";
    return isError ? { ...response, body: withoutEmptyTrailers(response.body) } : response;
  };
}

/** Drops the trailer frame at the start of a body if it has no status. */
async function* withoutEmptyTrailers(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of body) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (!isDecided(start)) continue;
    yield hasStatus(start) ? start : start.subarray(frameLength(start));
    start = undefined;
  }
  if (start !== undefined && start.length > 0) yield start;
}

function isDecided(start: Buffer): boolean {
  if (start.length < prefixLength) return false;
  return start[0] !== trailerFlag || frameLength(start) > maxTrailerBytes || start.length >= frameLength(start);
}

function frameLength(start: Buffer): number {
  return prefixLength + start.readUInt32BE(1);
}

/** Whether the start of a body is anything but a whole trailer frame without a status. */
function hasStatus(start: Buffer): boolean {
  if (start[0] !== trailerFlag || start.length < frameLength(start)) return true;
  return /^grpc-status:/im.test(start.toString("latin1", prefixLength, frameLength(start)));
}
