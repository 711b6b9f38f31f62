import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Binding, DaemonCase } from "../../contract/daemon/cases.js";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Answer, CallDaemon } from "./answer.js";
import { createSubscriptionHost, type HostRequest, localizeUrl, type RunningHost } from "./create-subscription-host.js";

/** A completed call. The request holds the secrets of its URL. */
export interface MadeCall {
  readonly rpc: DaemonRpc;
  readonly request: JsonObject;
  readonly answer: Answer;
}

/** The results of the calls of a case. */
export interface Performance {
  /** The case with the request as sent, and with bound values in the expected reply. */
  readonly one: DaemonCase;
  readonly earlier: readonly MadeCall[];
  /** Undefined if an earlier call got no reply, or if a value is `missing`. */
  readonly call?: MadeCall;
  /** The path of a value that a call needs and no earlier reply has, such as `preview.node.1.ordinal`. */
  readonly missing?: string;
  /** The earlier call that succeeded although the daemon should refuse it. */
  readonly succeeded?: string;
  /** The replies to earlier calls by their name. */
  readonly replies: Readonly<Record<string, JsonObject>>;
  /** The requests to the host of the URLs. */
  readonly fetches: readonly HostRequest[];
  /** How many of them preceded `call`. */
  readonly fetchesBefore: number;
}

/**
 * Makes the calls of a case. Starts a host on the loopback interface and replaces the host of the URLs with it.
 *
 * Cases are independent and may run concurrently. Rejects only if the host cannot start, or when `callDaemon` is aborted.
 */
export async function performCase(one: DaemonCase, callDaemon: CallDaemon): Promise<Performance> {
  const { host: given } = one.given ?? {};
  const host = given === undefined || given.kind === "unknown" ? undefined : await createSubscriptionHost(given);
  try {
    return await makeCalls(one, callDaemon, host);
  } finally {
    await host?.close();
  }
}

async function makeCalls(one: DaemonCase, callDaemon: CallDaemon, host: RunningHost | undefined): Promise<Performance> {
  const earlier: MadeCall[] = [];
  const replies: Record<string, JsonObject> = {};
  const make = async (rpc: DaemonRpc, request: JsonObject): Promise<MadeCall> => {
    await host?.rewind();
    return { rpc, request, answer: await callDaemon(rpc, request) };
  };
  const stop = (reason: Pick<Performance, "missing" | "succeeded"> = {}) => {
    return { one, earlier, replies, ...reason, fetches: host?.requests ?? [], fetchesBefore: 0 };
  };
  const calls = one.given?.calls ?? [];
  for (const { as, rpc, bind, request, fails } of calls.filter(({ overlaps }) => !overlaps)) {
    const bound = boundRequest(request, bind, replies);
    if (typeof bound === "string") return stop({ missing: bound });
    const made = await make(rpc, localized(bound, host));
    earlier.push(made);
    const { answer } = made;
    if (answer.kind !== (fails ? "error" : "reply")) return stop(answer.kind === "reply" ? { succeeded: as } : {});
    if (answer.kind === "reply") replies[as] = answer.reply;
  }
  const bound = boundRequest(one.request, one.bind, replies);
  if (typeof bound === "string") return stop({ missing: bound });
  const request = padded(localized(bound, host), one.padded);
  const fetchesBefore = host?.requests.length ?? 0;
  await host?.rewind();
  const sendOverlapping = () =>
    calls.flatMap(({ overlaps, rpc, bind, request }) => {
      const other = boundRequest(request, bind, replies);
      return overlaps && typeof other !== "string" ? [callDaemon(rpc, localized(other, host))] : [];
    });
  const before = sendOverlapping();
  const cancel = one.canceled ? new AbortController() : undefined;
  const own = callDaemon(one.rpc, request, {
    extended: one.extended ?? false,
    ...(cancel && { cancel: cancel.signal }),
  });
  const canceling =
    cancel === undefined ? [] : [cancelOnceAsked(cancel, () => host?.requests.length !== fetchesBefore)];
  const [answer] = await Promise.all([own, ...before, ...sendOverlapping(), ...canceling]);
  const call = { rpc: one.rpc, request, answer };
  const performed = one.reply === undefined ? { ...one, request } : { ...one, request, reply: boundReply(one, bound) };
  return { one: performed, earlier, replies, call, fetches: host?.requests ?? [], fetchesBefore };
}

const pollMs = 20;
const maxPolls = 100;
/** The time in which a daemon should notice that a call was cancelled. The host stays until then. */
const noticeMs = 500;

async function cancelOnceAsked(cancel: AbortController, isAsked: () => boolean): Promise<void> {
  for (let polls = 0; polls < maxPolls && !isAsked(); polls++) await sleep(pollMs);
  cancel.abort();
  await sleep(noticeMs);
}

function padded(request: JsonObject, length = 0): JsonObject {
  const { url } = request;
  return typeof url === "string" ? { ...request, url: url + "x".repeat(length) } : request;
}

function localized(request: JsonObject, host: RunningHost | undefined): JsonObject {
  const { url } = request;
  return host === undefined || typeof url !== "string" ? request : { ...request, url: localizeUrl(url, host.origin) };
}

/** Fills values of earlier replies into a request. Returns the request, or the path of a value that no reply has. */
function boundRequest(
  request: JsonObject,
  bind: Binding = {},
  replies: Readonly<Record<string, JsonObject>>,
): JsonObject | string {
  const bound: Record<string, JsonValue> = { ...request };
  for (const [field, source] of Object.entries(bind)) {
    const value = valueAt(replies, `/${source.replaceAll(".", "/")}`);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      return source;
    }
    bound[field] = value;
  }
  return bound;
}

/** Copies bound values of the request to the fields of the reply that must equal them. Source: proto/README.md, `bind`. */
function boundReply({ reply = {}, bind = {}, exact = [], filled = [] }: DaemonCase, bound: JsonObject): JsonObject {
  const compared = [...exact, ...filled];
  const changed = Object.keys(bind).filter((field) => compared.includes(`/${field}`));
  return { ...reply, ...Object.fromEntries(changed.map((field) => [field, bound[field] ?? null])) };
}
