import { type DescMessage, fromJson, type JsonObject, type Message, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { fullJson, fullMessage } from "../../contract/rpc/evidence.js";
import { type DaemonRpc, methodOf } from "../../contract/rpc/rpcs.js";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { callMethod, type DaemonClient } from "../../daemon/service-clients.js";
import { type HttpAnswer, watchHttpAnswer } from "../../daemon/watch-http-answer.js";
import { userAgent } from "../../versions.js";
import { defaultRunOptions } from "../run-options.js";
import type { Answer, CallDaemon, MetadataEntry } from "./answer.js";
import { failureOfCall } from "./call-failure.js";

/** The client and limits of calls. */
export interface CallMeans {
  readonly client: DaemonClient;
  /** The protocol of the client. */
  readonly protocol: DaemonProtocol;
  /** The maximum duration of all calls together, in milliseconds from the first. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
  /** Aborts the pending call. */
  readonly signal?: AbortSignal;
}

/**
 * Creates a function that calls a daemon and returns every result as a value. Its calls share one deadline, so create one for each case.
 * They reject only when the signal is aborted, with its reason.
 */
export function createCall({
  client,
  protocol,
  timeoutMs = defaultRunOptions.timeoutMs,
  signal,
}: CallMeans): CallDaemon {
  let deadline: AbortSignal | undefined;
  return async (rpc, request, { extended = false, cancel } = {}) => {
    signal?.throwIfAborted();
    deadline ??= AbortSignal.timeout(timeoutMs);
    const metadata: MetadataEntry[] = [];
    const keep = (headers: Headers) => metadata.push(...headers);
    const end = AbortSignal.any([signal, cancel, deadline].filter((one) => one !== undefined));
    const headers = { "User-Agent": userAgent };
    const options = { headers, signal: end, onHeader: keep, onTrailer: keep };
    let http: HttpAnswer | undefined;
    const onAnswer = (answer: HttpAnswer) => {
      http = answer;
    };
    const method = methodOf(rpc);
    const sent = fromJson(method.input, request);
    if (extended) sent.$unknown = [unknownField];
    try {
      const message = await watchHttpAnswer(onAnswer, () => callMethod(client, method, sent, options));
      return replyOf(rpc, message, metadata);
    } catch (error) {
      signal?.throwIfAborted();
      if (cancel?.aborted) return { kind: "error", code: "canceled", message: "", details: [], metadata };
      if (deadline.aborted) return { kind: "timeout", afterMs: timeoutMs };
      return failureOfCall(error, protocol, http);
    }
  };
}

/** A field that no message of the contract has, as a later version might. */
const unknownField = { no: 1000, wireType: WireType.Varint, data: Uint8Array.of(1) };

/** The result of a call that succeeded with a message, the output of the RPC. */
export function replyOf(rpc: DaemonRpc, message: Message, metadata: readonly MetadataEntry[]): Answer {
  const { output } = methodOf(rpc);
  const bytes = toBinary<DescMessage>(output, message);
  return { kind: "reply", reply: fullJson(output, message), bytes, metadata };
}

/** Fills in the fields that a reply of a case omits because they have their default value. */
export function fullReply(rpc: DaemonRpc, reply: JsonObject): JsonObject {
  const { output } = methodOf(rpc);
  return fullMessage(output, reply);
}
