import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { LoginCancelRequestSchema, MeshControlService } from "../../../generated/daemon/daemon/v1/mesh_control_pb.js";
import {
  ProxySubscriptionApplyRequestSchema,
  ProxySubscriptionImportRequestSchema,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptions,
} from "../../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import type { DaemonRpc } from "../../daemon/cases/daemon-case.js";
import type { DaemonClient, DaemonProtocol } from "../../daemon/create-daemon-client.js";
import type { Answer, CallDaemon, ErrorDetail, MetadataEntry } from "./answer.js";

/** How calls are made. */
export interface CallMeans {
  readonly client: DaemonClient;
  /** The protocol of the client. */
  readonly protocol: DaemonProtocol;
  /** How long a call may take. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
}

const methods: Readonly<Record<DaemonRpc, DescMethodUnary>> = {
  "ProxySubscriptions/PreviewImport": ProxySubscriptions.method.previewImport,
  "ProxySubscriptions/ApplyImport": ProxySubscriptions.method.applyImport,
  "ProxySubscriptions/SelectNode": ProxySubscriptions.method.selectNode,
  "MeshControlService/LoginCancel": MeshControlService.method.loginCancel,
};

/** Makes a function that calls a daemon through a client and gives what came, whatever it is. */
export function createCall({ client, protocol, timeoutMs = 30_000 }: CallMeans): CallDaemon {
  return async (rpc, request) => {
    const metadata: MetadataEntry[] = [];
    const keep = (headers: Headers) => metadata.push(...headers);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const message = await send(client, rpc, request, { signal, onHeader: keep, onTrailer: keep });
      return replyOf(rpc, message, metadata);
    } catch (error) {
      if (signal.aborted) return { kind: "timeout", afterMs: timeoutMs };
      return failureOf(error, protocol);
    }
  };
}

/** A reply as an answer. `message` is the output of the RPC. */
export function replyOf(rpc: DaemonRpc, message: Message, metadata: readonly MetadataEntry[]): Answer {
  const { output } = methods[rpc];
  const bytes = toBinary<DescMessage>(output, message);
  return { kind: "reply", reply: fullJson(output, message), bytes, metadata };
}

/** A reply of a case with the fields that it leaves out because they have their default value. */
export function fullReply(rpc: DaemonRpc, reply: JsonObject): JsonObject {
  const { output } = methods[rpc];
  return fullJson(output, fromJson(output, reply));
}

/** The input and output of an RPC. */
export function methodOf(rpc: DaemonRpc): DescMethodUnary {
  return methods[rpc];
}

function fullJson(schema: DescMessage, message: Message): JsonObject {
  const json: JsonValue = toJson<DescMessage, Partial<JsonWriteOptions>>(schema, message, { alwaysEmitImplicit: true });
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
}

function send(client: DaemonClient, rpc: DaemonRpc, request: JsonObject, options: CallOptions): Promise<Message> {
  const { proxySubscriptions, meshControl } = client;
  switch (rpc) {
    case "ProxySubscriptions/PreviewImport":
      return proxySubscriptions.previewImport(fromJson(ProxySubscriptionImportRequestSchema, request), options);
    case "ProxySubscriptions/ApplyImport":
      return proxySubscriptions.applyImport(fromJson(ProxySubscriptionApplyRequestSchema, request), options);
    case "ProxySubscriptions/SelectNode":
      return proxySubscriptions.selectNode(fromJson(ProxySubscriptionSelectRequestSchema, request), options);
    case "MeshControlService/LoginCancel":
      return meshControl.loginCancel(fromJson(LoginCancelRequestSchema, request), options);
  }
}

function failureOf(reason: unknown, protocol: DaemonProtocol): Answer {
  const error = ConnectError.from(reason);
  const metadata = [...error.metadata];
  if (isRpcError(error, protocol)) {
    const details = error.details.flatMap((detail) => ("desc" in detail ? [] : [detailOf(detail)]));
    return { kind: "error", code: codeToString(error.code), message: error.rawMessage, details, metadata };
  }
  if (systemErrors(error).some((code) => unreachable.has(code))) return { kind: "unreachable", text: error.rawMessage };
  return { kind: "malformed", text: error.rawMessage, metadata };
}

function detailOf({ type, value, debug }: { type: string; value: Uint8Array; debug?: JsonValue }): ErrorDetail {
  return { type, value, ...(debug === undefined ? {} : { debug: JSON.stringify(debug) }) };
}

/**
 * The client makes an error of every failure. One that the daemon has sent has the status that its protocol demands: `grpc-status`
 * among headers and trailers, or on Connect a body of JSON. When that is JSON of something else, Connect's client has the headers
 * twice; when it is no JSON at all, that cannot be told from an error with the
 * message `HTTP 500`.
 */
function isRpcError({ code, metadata }: ConnectError, protocol: DaemonProtocol): boolean {
  if (Code[code] === undefined) return false;
  if (protocol === "connect") return /^application\/json(?:;[^,]*)?$/i.test(metadata.get("content-type") ?? "");
  // Some servers repeat the status of the trailers in the headers.
  return /^(?:[1-9]|1[0-6])(?:,|$)/.test(metadata.get("grpc-status") ?? "");
}

const unreachable: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOENT",
  "EACCES",
  "EPERM",
  "ENOTSOCK",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

/** The codes of the errors of the system that led to an error. */
function systemErrors(reason: unknown): string[] {
  const codes: string[] = [];
  let error = reason;
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    if ("code" in error && typeof error.code === "string") codes.push(error.code);
    error = error.cause;
  }
  return codes;
}
