import * as connect from "@connectrpc/connect/protocol-connect";
import * as grpc from "@connectrpc/connect/protocol-grpc";
import * as grpcWeb from "@connectrpc/connect/protocol-grpc-web";
import type { DaemonProtocol } from "../../create-daemon-client.js";

/** The name of the header that holds the time a call may take, in each protocol. */
export const timeoutHeaders: Readonly<Record<DaemonProtocol, string>> = {
  grpc: grpc.headerTimeout,
  "grpc-web": grpcWeb.headerTimeout,
  connect: connect.headerTimeout,
};

/** The protocol of a unary call, or undefined when the content type belongs to none. */
export function callProtocol(contentType: string): DaemonProtocol | undefined {
  if (grpc.parseContentType(contentType) !== undefined) return "grpc";
  if (grpcWeb.parseContentType(contentType) !== undefined) return "grpc-web";
  if (connect.contentTypeUnaryRegExp.test(contentType)) return "connect";
  return undefined;
}

/** In which format the messages of a unary call are. */
export function messageFormat(protocol: DaemonProtocol, contentType: string): "binary" | "json" {
  const parse = { grpc, "grpc-web": grpcWeb, connect }[protocol].parseContentType;
  return parse(contentType)?.binary === false ? "json" : "binary";
}

/** The time that a call may take. */
export function parseTimeout(protocol: DaemonProtocol, header: Headers): ReturnType<typeof grpc.parseTimeout> {
  const parse = protocol === "connect" ? connect.parseTimeout : grpc.parseTimeout;
  return parse(header.get(timeoutHeaders[protocol]), Number.MAX_SAFE_INTEGER);
}
