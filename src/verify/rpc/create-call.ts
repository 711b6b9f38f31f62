import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type Message,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import type { Transport } from "@connectrpc/connect";
import { abortLater } from "../../base/abort-later.js";
import { userAgent } from "../../base/versions.js";
import { methodOf, type RpcContract } from "../../contract/rpc/contract.js";
import { clearUnwritable, fullJson } from "../../contract/rpc/messages.js";
import type { CallRpc, MetadataEntry, RpcAnswer } from "../../judge/rpc/answer.js";
import { inspectMessages } from "../../wire/inspect-messages.js";
import { messageExcess } from "../../wire/message-excess.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { type HttpAnswer, watchHttpAnswer } from "../../wire/watch-http-answer.js";
import type { Pace } from "../pace.js";
import { defaultRunOptions } from "../run-options.js";
import { failureOfCall } from "./call-failure.js";
import { type CallMetadata, noMetadata } from "./call-metadata.js";

/** The contract, the transport and the limits of calls. */
export interface CallMeans {
  readonly contract: RpcContract;
  readonly transport: Transport;
  /** The protocol of the transport. */
  readonly protocol: RpcProtocol;
  /** The maximum duration of all calls together, in milliseconds from the first. Defaults to 30 seconds. */
  readonly timeoutMs?: number;
  /** The metadata of each call. Defaults to none. */
  readonly metadata?: CallMetadata;
  /** Aborts the pending call. */
  readonly signal?: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace;
}

/**
 * Creates a function that calls a server and returns every result as a value. Its calls share one deadline, so create one for each case.
 * They reject only when the signal is aborted, with its reason.
 */
export function createCall({
  contract,
  transport,
  protocol,
  timeoutMs = defaultRunOptions.timeoutMs,
  metadata = noMetadata,
  signal,
  pace,
}: CallMeans): CallRpc {
  let endsAt: number | undefined;
  const callOnce: CallRpc = async (rpc, request, { extended = false, broken = false, cancel, as } = {}) => {
    signal?.throwIfAborted();
    const asked = performance.now();
    await pace?.(signal);
    if (endsAt !== undefined) endsAt += performance.now() - asked;
    endsAt ??= performance.now() + timeoutMs;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return { kind: "timeout", afterMs: timeoutMs };
    const deadline = new AbortController();
    // What a write made must be known to be removed, also if the run is stopped.
    const stop = signal === undefined || contract.isRead(rpc) ? signal : abortLater(signal);
    const end = AbortSignal.any([stop, cancel, deadline.signal].filter((one) => one !== undefined));
    // Keeps the process running until the call has ended, which the timer of `AbortSignal.timeout` does not.
    const timer = setTimeout(() => deadline.abort(), leftMs);
    const headers = { "User-Agent": userAgent, ...metadata.headers(as) };
    let http: HttpAnswer | undefined;
    let excess: string | undefined;
    const onAnswer = (answer: HttpAnswer) => {
      http = answer;
    };
    const method = methodOf(contract, rpc);
    const sent = fromJson(method.input, request, { registry: contract.registry });
    if (extended) sent.$unknown = [unknownField];
    if (broken) sent.$unknown = [brokenField];
    try {
      const inspect = (bytes: Uint8Array) => {
        excess = messageExcess(method.output, bytes, contract.registry);
        if (excess !== undefined) throw new Error(excess);
      };
      const calling = inspectMessages(inspect, () =>
        watchHttpAnswer(onAnswer, () => transport.unary(method, end, undefined, headers, sent)),
      );
      const { message, header, trailer } = await Promise.race([calling, aborted(end)]);
      return replyOf(method, message, [...header, ...trailer], contract.registry);
    } catch (error) {
      signal?.throwIfAborted();
      if (cancel?.aborted) return { kind: "error", code: "canceled", message: "", details: [], metadata: [] };
      if (deadline.signal.aborted) return { kind: "timeout", afterMs: timeoutMs };
      return excess === undefined
        ? failureOfCall(error, protocol, http)
        : { kind: "too-large", text: excess, metadata: [...(http?.header ?? [])] };
    } finally {
      clearTimeout(timer);
    }
  };
  return async (rpc, request, form) => {
    const { token } = metadata;
    await token?.keepFresh();
    const answer = await callOnce(rpc, request, form);
    const isRefused = answer.kind === "error" && answer.code === "unauthenticated";
    const isRenewed = isRefused && (await token?.renew());
    const isSafe = methodOf(contract, rpc).idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
    return isRenewed && isSafe ? callOnce(rpc, request, form) : answer;
  };
}

/** Rejects once a signal aborts, whatever becomes of the call. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A field that no message of the contract has, as a later version might. */
const unknownField = { no: 1000, wireType: WireType.Varint, data: Uint8Array.of(1) };

/** A tag with a wire type that Protobuf does not have (Protocol Buffers Encoding, "Message Structure"). */
const brokenField = { no: 1, wireType: 7 as WireType, data: new Uint8Array() };

/** The result of a call of an RPC that succeeded with a message. `registry` has the types of `google.protobuf.Any`. */
export function replyOf(
  { output }: DescMethodUnary,
  message: Message,
  metadata: readonly MetadataEntry[],
  registry?: Registry,
): RpcAnswer {
  try {
    const bytes = toBinary<DescMessage>(output, message);
    clearUnwritable(output, message, registry);
    return { kind: "reply", reply: fullJson(output, message, registry), bytes, metadata };
  } catch (error) {
    // A required field may be missing, or a value may be outside the range of its type.
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "malformed", text: `It is no valid ${output.typeName}: ${reason}`, metadata };
  }
}
