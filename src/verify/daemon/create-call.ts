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
import type { CallOptions } from "@connectrpc/connect";
import { LoginCancelRequestSchema, MeshControlService } from "../../../generated/daemon/daemon/v1/mesh_control_pb.js";
import {
  ProxySubscriptionApplyRequestSchema,
  ProxySubscriptionImportRequestSchema,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptions,
} from "../../../generated/daemon/daemon/v1/proxy_subscriptions_pb.js";
import type { DaemonRpc } from "../../daemon/cases/daemon-case.js";
import type { DaemonClient, DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { type HttpAnswer, watchHttpAnswer } from "../../daemon/watch-http-answer.js";
import { defaultRunOptions } from "../resolve-run-options.js";
import type { Answer, CallDaemon, MetadataEntry } from "./answer.js";
import { failureOfCall } from "./failure-of-call.js";

/** How calls are made. */
export interface CallMeans {
  readonly client: DaemonClient;
  /** The protocol of the client. */
  readonly protocol: DaemonProtocol;
  /** How long all the calls may take together, in milliseconds, from the first on. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
  /** Ends the call that is under way. */
  readonly signal?: AbortSignal;
}

const methods: Readonly<Record<DaemonRpc, DescMethodUnary>> = {
  "ProxySubscriptions/PreviewImport": ProxySubscriptions.method.previewImport,
  "ProxySubscriptions/ApplyImport": ProxySubscriptions.method.applyImport,
  "ProxySubscriptions/SelectNode": ProxySubscriptions.method.selectNode,
  "MeshControlService/LoginCancel": MeshControlService.method.loginCancel,
};

/**
 * Makes a function that calls a daemon through a client and gives what came, whatever it is. Its calls have one deadline, so make one
 * for each case. They reject only when the signal is aborted, with its reason.
 */
export function createCall({
  client,
  protocol,
  timeoutMs = defaultRunOptions.timeoutMs,
  signal,
}: CallMeans): CallDaemon {
  let deadline: AbortSignal | undefined;
  return async (rpc, request) => {
    signal?.throwIfAborted();
    deadline ??= AbortSignal.timeout(timeoutMs);
    const metadata: MetadataEntry[] = [];
    const keep = (headers: Headers) => metadata.push(...headers);
    const end = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const options = { signal: end, onHeader: keep, onTrailer: keep };
    let http: HttpAnswer | undefined;
    const onAnswer = (answer: HttpAnswer) => {
      http = answer;
    };
    try {
      const message = await watchHttpAnswer(onAnswer, () => send(client, rpc, request, options));
      return replyOf(rpc, message, metadata);
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) return { kind: "timeout", afterMs: timeoutMs };
      return failureOfCall(error, protocol, http);
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
