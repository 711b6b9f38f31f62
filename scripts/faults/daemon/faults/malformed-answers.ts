import { ofFamily } from "../../fault.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { fault } from "../describe.js";
import type { DaemonFault, DaemonFaultRow } from "../fault.js";
import { frame, grpc, ok, type RawResponse, respondsRaw } from "../raw-response.js";

/** A fault of LoginCancel, which returns `Empty`: only the form of the response is wrong. */
function malformed(
  name: string,
  summary: string,
  response: RawResponse,
  protocol: Exclude<DaemonBehaviour["protocol"], undefined> = "grpc",
): DaemonFaultRow {
  return fault(name, summary)
    .breaks("service.unary", "wire.proto3")
    .checkedBy("case login-cancel")
    .by({ protocol, ...respondsRaw("MeshControlService/LoginCancel", response) });
}

const web = { "content-type": "application/grpc-web+proto" };
const html = { "content-type": "text/html" };

/** Responses that violate the RPC protocol. */
export const malformedAnswerFaults: readonly DaemonFault[] = ofFamily("malformed answers", [
  malformed("grpc-no-trailers", "ends the stream without trailers", { headers: grpc, body: frame() }),
  malformed("grpc-no-message", "ends a success without a message", { headers: grpc, trailers: ok }),
  malformed("grpc-two-messages", "sends the reply of a unary RPC twice", {
    headers: grpc,
    body: Buffer.concat([frame(), frame()]),
    trailers: ok,
  }),
  malformed("grpc-message-cut-short", "sends fewer bytes than announced", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { length: 100 }),
    trailers: ok,
  }),
  malformed("grpc-no-frame", "sends a message without its five-byte prefix", {
    headers: grpc,
    body: Buffer.from([8, 1, 16, 2]),
    trailers: ok,
  }),
  malformed("grpc-not-protobuf", "sends a message that is not protobuf", {
    headers: grpc,
    body: frame(Buffer.from("\xff\xff\xff\xffnot protobuf", "latin1")),
    trailers: ok,
  }),
  malformed("grpc-false-compression-flag", "marks an uncompressed message as compressed, without an encoding", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { flags: 1 }),
    trailers: ok,
  }),
  malformed("grpc-status-not-a-number", "returns a `grpc-status` that is not a number", {
    headers: grpc,
    body: frame(),
    trailers: { "grpc-status": "OK" },
  }),
  malformed("grpc-status-unknown", "returns an unknown `grpc-status`", {
    headers: grpc,
    trailers: { "grpc-status": "42", "grpc-message": "no" },
  }),
  malformed("grpc-json", "returns JSON with HTTP 200", { headers: { "content-type": "application/json" }, body: "{}" }),
  malformed("grpc-html", "returns a web page", { headers: html, body: "<!DOCTYPE html><title>Welcome</title>" }),
  malformed("grpc-http-404", "returns HTTP 404 as a web server does", {
    status: 404,
    headers: html,
    body: "Not Found",
  }),
  malformed("grpc-http-500", "returns HTTP 500 without an RPC status", { status: 500, headers: html, body: "Oops" }),
  malformed("grpc-connection-lost", "crashes while it sends the response", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { length: 100 }),
    cut: true,
  }),
  malformed(
    "grpc-web-no-trailers",
    "returns gRPC-Web without the trailers frame",
    { headers: web, body: frame() },
    "grpc-web",
  ),
  malformed(
    "grpc-web-as-grpc",
    "returns gRPC-Web with the content type of gRPC",
    { headers: grpc, body: frame() },
    "grpc-web",
  ),
  malformed("connect-html", "returns a web page over Connect", { headers: html, body: "<!DOCTYPE html>" }, "connect"),
  malformed(
    "connect-other-json",
    "returns HTTP 500 over Connect with JSON that is not an error",
    {
      ...{ status: 500, headers: { "content-type": "application/json" } },
      body: '["error"]',
    },
    "connect",
  ),
]);
