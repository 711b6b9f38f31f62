import {
  type ClientHttp2Session,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type DaemonHandlers,
  type DaemonServer,
  ProxySubscriptionSelectRequestSchema,
} from "../../../src/daemon/index.js";
import { stopLater, urlOf } from "./serve.js";

/** The result of an HTTP/2 stream. */
export interface RawAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly resetCode: number;
}

/** A connection that ends with the test. */
export function rawSession(server: DaemonServer): ClientHttp2Session {
  const session = connect(urlOf(server));
  session.on("error", () => {});
  stopLater(() => session.destroy());
  return session;
}

/** The headers of a plain call of SelectNode. */
const callHeaders: OutgoingHttpHeaders = {
  ":method": "POST",
  ":path": "/proxydaemon.v1.ProxySubscriptions/SelectNode",
  "content-type": "application/grpc",
  te: "trailers",
};

/** Sends chunks of bytes in a stream, and waits until the stream is over. Omits undefined headers. */
export function rawCall(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  chunks: readonly Uint8Array[],
  { halfOpen = false, cancel = false } = {},
): Promise<RawAnswer> {
  const given = Object.entries({ ...callHeaders, ...headers }).filter(([, value]) => value !== undefined);
  const stream = session.request(Object.fromEntries(given), { endStream: false });
  let received: IncomingHttpHeaders = {};
  let trailers: IncomingHttpHeaders = {};
  const body: Buffer[] = [];
  stream.on("response", (response) => {
    received = response;
  });
  stream.on("trailers", (response) => {
    trailers = response;
  });
  stream.on("data", (chunk) => body.push(chunk));
  stream.on("error", () => {});
  for (const chunk of chunks) stream.write(chunk);
  if (cancel) stream.close(constants.NGHTTP2_CANCEL);
  else if (!halfOpen) stream.end();
  return new Promise((resolve) => {
    stream.once("close", () =>
      resolve({ headers: received, trailers, body: Buffer.concat(body), resetCode: stream.rstCode }),
    );
  });
}

/** A message in gRPC's framing. */
export function framed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flag;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** An encoded message in gRPC's framing. */
export function framedMessage<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>): Buffer {
  return framed(toBinary(schema, create(schema, init)));
}

/** The message of a body in gRPC's framing. */
export function messageIn<Desc extends DescMessage>(schema: Desc, body: Buffer): MessageShape<Desc> {
  return fromBinary(schema, body.subarray(5, 5 + body.readUInt32BE(1)));
}

/** Status and message of a response, from its headers or trailers. */
export function statusOf({ headers, trailers }: RawAnswer): { status: string; message: string } {
  const from = headers["grpc-status"] === undefined ? trailers : headers;
  return { status: String(from["grpc-status"]), message: decodeURIComponent(String(from["grpc-message"] ?? "")) };
}

/** A valid request of SelectNode in gRPC's framing. */
export const selectRequest = framedMessage(ProxySubscriptionSelectRequestSchema, { id: 7, selectedOrdinal: 2 });

/** A handler of SelectNode that throws. */
export function failing(error: unknown): Partial<DaemonHandlers> {
  return {
    selectNode: () => {
      throw error;
    },
  };
}
