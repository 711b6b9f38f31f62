import { type DescMessage, fromJson, type JsonObject, type Message, toBinary } from "@bufbuild/protobuf";
import { fullJson, fullMessage } from "../../contract/daemon/evidence.js";
import { type DaemonRpc, methodOf } from "../../contract/daemon/rpcs.js";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import { callMethod, type DaemonClient } from "../../daemon/service-clients.js";
import { type HttpAnswer, watchHttpAnswer } from "../../daemon/watch-http-answer.js";
import { defaultRunOptions } from "../run-options.js";
import type { Answer, CallDaemon, MetadataEntry } from "./answer.js";
import { failureOfCall } from "./call-failure.js";

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
    const method = methodOf(rpc);
    try {
      const message = await watchHttpAnswer(onAnswer, () =>
        callMethod(client, method, fromJson(method.input, request), options),
      );
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
  const { output } = methodOf(rpc);
  const bytes = toBinary<DescMessage>(output, message);
  return { kind: "reply", reply: fullJson(output, message), bytes, metadata };
}

/** A reply of a case with the fields that it leaves out because they have their default value. */
export function fullReply(rpc: DaemonRpc, reply: JsonObject): JsonObject {
  const { output } = methodOf(rpc);
  return fullMessage(output, reply);
}
