import type { DaemonBehaviour } from "../behaviour.js";
import type { DaemonFault } from "../fault.js";
import { answersRaw, frame, grpc, ok, type RawAnswer } from "../raw-answer.js";

const breaks = ["service.unary", "wire.proto3"];

/** A fault of LoginCancel, which returns `Empty`: only the form of the response is wrong. */
function fault(
  name: string,
  summary: string,
  answer: RawAnswer,
  protocol: Exclude<DaemonBehaviour["protocol"], undefined> = "grpc",
): DaemonFault {
  const behaviour = { protocol, ...answersRaw("MeshControlService/LoginCancel", answer) };
  return { name, family: "malformed answers", summary, breaks, checkedBy: ["case login-cancel"], behaviour };
}

const web = { "content-type": "application/grpc-web+proto" };
const html = { "content-type": "text/html" };

/** Responses that violate the RPC protocol. */
export const malformedAnswerFaults: readonly DaemonFault[] = [
  fault("grpc-no-trailers", "ends the stream without trailers", { headers: grpc, body: frame() }),
  fault("grpc-no-message", "ends a success without a message", { headers: grpc, trailers: ok }),
  fault("grpc-two-messages", "sends the reply of a unary RPC twice", {
    headers: grpc,
    body: Buffer.concat([frame(), frame()]),
    trailers: ok,
  }),
  fault("grpc-message-cut-short", "sends fewer bytes than announced", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { length: 100 }),
    trailers: ok,
  }),
  fault("grpc-no-frame", "sends a message without its five-byte prefix", {
    headers: grpc,
    body: Buffer.from([8, 1, 16, 2]),
    trailers: ok,
  }),
  fault("grpc-not-protobuf", "sends a message that is not protobuf", {
    headers: grpc,
    body: frame(Buffer.from("\xff\xff\xff\xffnot protobuf", "latin1")),
    trailers: ok,
  }),
  fault("grpc-false-compression-flag", "marks an uncompressed message as compressed, without an encoding", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { flags: 1 }),
    trailers: ok,
  }),
  fault("grpc-status-not-a-number", "returns a `grpc-status` that is not a number", {
    headers: grpc,
    body: frame(),
    trailers: { "grpc-status": "OK" },
  }),
  fault("grpc-status-unknown", "returns an unknown `grpc-status`", {
    headers: grpc,
    trailers: { "grpc-status": "42", "grpc-message": "no" },
  }),
  fault("grpc-json", "returns JSON with HTTP 200", { headers: { "content-type": "application/json" }, body: "{}" }),
  fault("grpc-html", "returns a web page", { headers: html, body: "<!DOCTYPE html><title>Welcome</title>" }),
  fault("grpc-http-404", "returns HTTP 404 as a web server does", { status: 404, headers: html, body: "Not Found" }),
  fault("grpc-http-500", "returns HTTP 500 without an RPC status", { status: 500, headers: html, body: "Oops" }),
  fault("grpc-connection-lost", "crashes while it sends the response", {
    headers: grpc,
    body: frame(Buffer.from([8, 1]), { length: 100 }),
    cut: true,
  }),
  fault(
    "grpc-web-no-trailers",
    "returns gRPC-Web without the trailers frame",
    { headers: web, body: frame() },
    "grpc-web",
  ),
  fault(
    "grpc-web-as-grpc",
    "returns gRPC-Web with the content type of gRPC",
    { headers: grpc, body: frame() },
    "grpc-web",
  ),
  fault("connect-html", "returns a web page over Connect", { headers: html, body: "<!DOCTYPE html>" }, "connect"),
  fault(
    "connect-other-json",
    "returns HTTP 500 over Connect with JSON that is not an error",
    {
      ...{ status: 500, headers: { "content-type": "application/json" } },
      body: '["error"]',
    },
    "connect",
  ),
];
