import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase } from "../../contract/rpc/cases.js";
import type { DaemonRpc } from "../../contract/rpc/rpcs.js";
import { takesRequests } from "../../contract/served-host.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import { createMask } from "../mask.js";
import { resolveValue } from "../match/expressions.js";
import { createHosts } from "../run/hosts.js";
import type { Session } from "../run/session.js";
import type { Answer, CallDaemon } from "./answer.js";
import type { DaemonProbe } from "./create-daemon-probe.js";
import { describeExchange, type MadeCall } from "./describe-exchange.js";
import { exchangeOf } from "./exchange-of.js";

import type { BufCurlCall } from "./repeat-command.js";
import { secretsToMask } from "./report-mask.js";

/** The daemon under test. */
export interface DaemonTarget extends Pick<BufCurlCall, "address" | "protocol"> {
  /** The names of its services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
  /** Makes a function that calls the daemon, each with its own deadline. */
  readonly createCall: () => CallDaemon;
  /** What the daemon does regardless of the case. */
  readonly probe: DaemonProbe;
}

const notFetching =
  "the daemon does not fetch from http://127.0.0.1, where the subscriptions of the cases are served. Allow it to";
const withoutFetching = "the daemon answered without fetching the URL";

/** Creates the session of a case. All of its calls share one deadline. */
export function createDaemonSession(target: DaemonTarget, one: DaemonCase): Session {
  const callDaemon = target.createCall();
  const mask = createMask(secretsToMask(one));
  const made: MadeCall[] = [];
  const hosts = createHosts();

  /**
   * Why a response shows nothing. A daemon that did not use the URL has no secret to show, so a case with secrets counts only if the daemon
   * fetched. If the host of the case accepts no request, it is enough that the daemon fetches at all.
   */
  async function excuse(request: JsonObject, answer: Answer, deviates: boolean): Promise<string | undefined> {
    if (answer.kind === "error" && answer.code === "unimplemented") return "the daemon answered `unimplemented`";
    const isError = answer.kind === "error";
    const isSecretive = one.secrets !== undefined;
    const couldFetch = request.url !== undefined && hosts.some(takesRequests);
    const didFetch = hosts.count() > 0;
    if (!didFetch && (isSecretive || (isError && couldFetch)) && !(await target.probe.fetches())) return notFetching;
    if (!didFetch && couldFetch && (isSecretive || (deviates && answer.kind === "reply"))) return withoutFetching;
    return isError && !isSecretive && (await target.probe.refusesAll()) ? "the daemon refuses every call" : undefined;
  }

  return {
    hasStates: false,
    mask,
    serve: ({ host }) => hosts.serve(host),
    call: async ({ call, with: values, extended = false, cancelAt }, scope) => {
      const rpc = call as DaemonRpc;
      const request = resolveValue(values, scope) as JsonObject;
      await hosts.rewind();
      const cancel = cancelAt === undefined ? undefined : new AbortController();
      const calling = callDaemon(rpc, request, { extended, ...(cancel && { cancel: cancel.signal }) });
      if (cancel !== undefined) await cancelOnceAsked(cancel, () => hosts.count() > 0);
      const answer = await calling;
      made.push({ rpc, request, answer });
      return { ...exchangeOf(rpc, answer), excuse: ({ deviates }) => excuse(request, answer, deviates) };
    },
    fork: () => createDaemonSession(target, one),
    mayHaveChanged: () => true,
    setUp: () => Promise.reject(new Error("A daemon has no provider states")),
    lacks: async () => false,
    helpFor: async () => "",
    trace: async () => made.map((call) => describeExchange(one, call, target, mask)),
    close: hosts.close,
  };
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
