import type { DaemonRpc } from "../../../src/daemon/index.js";
import type { DaemonBehaviour } from "./behaviour.js";

/** An HTTP response that no RPC library made. */
export interface RawResponse {
  /** Defaults to 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** If omitted, the response has no trailers at all. */
  readonly trailers?: Readonly<Record<string, string>>;
  /** Closes the connection after the body, as if the daemon had crashed. */
  readonly cut?: boolean;
}

/** The content type of gRPC with protobuf. */
export const grpc = { "content-type": "application/grpc+proto" };

/** The status of a success, which gRPC sends in its trailers. */
export const ok = { "grpc-status": "0" };

/** A message as gRPC and gRPC-Web send it: a byte of flags, four bytes of length, the message. */
export function frame(message: Uint8Array = new Uint8Array(), { flags = 0, length = message.length } = {}): Uint8Array {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** Returns raw bytes from one RPC and leaves the others unchanged. */
export function respondsRaw(
  rpc: DaemonRpc,
  { status = 200, headers = {}, body = "", trailers, cut = false }: RawResponse,
): Required<Pick<DaemonBehaviour, "listener">> {
  return {
    listener: (honest) => (request, response) => {
      if (!request.url?.endsWith(rpc)) return honest(request, response);
      // A response before the request is read would close the connection.
      request.resume().once("end", () => {
        response.statusCode = status;
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        if (cut) {
          response.write(body, () => ("stream" in response ? response.stream : response).destroy());
          return;
        }
        if (trailers !== undefined) response.addTrailers(trailers);
        response.end(body);
      });
    },
  };
}
