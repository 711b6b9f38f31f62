import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { runBuf } from "../../src/base/run-buf.js";
import { methodOf } from "../../src/daemon/daemon-methods.js";
import type { DaemonProtocol } from "../../src/daemon/index.js";
import type { CallRpc } from "../../src/judge/rpc/answer.js";
import { replyOf } from "../../src/verify/rpc/create-call.js";

/** Creates a function that makes calls with `buf curl`, which discovers the messages through server reflection. */
export function callWithBufCurl(address: string, protocol: DaemonProtocol): CallRpc {
  const socket = address.startsWith("unix:") ? ["--unix-socket", address.slice("unix:".length)] : [];
  const origin = address.startsWith("unix:") ? "http://localhost" : address;
  return async (rpc, request) => {
    // Reflection is bidirectional streaming, which requires HTTP/2.
    const how = ["--protocol", protocol === "grpc-web" ? "grpcweb" : protocol, "--http2-prior-knowledge"];
    const words = [...how, ...socket, "--data", JSON.stringify(request), `${origin}/proxydaemon.v1.${rpc}`];
    try {
      const reply: JsonValue = JSON.parse((await runBuf(".", "curl", ...words)).toString());
      const method = methodOf(rpc);
      return replyOf(method, fromJson(method.output, reply), []);
    } catch (failure) {
      const output = String(failure);
      const { code, message = "" } = JSON.parse(output.slice(output.indexOf("{")));
      return { kind: "error", code, message, details: [], metadata: [] };
    }
  };
}
