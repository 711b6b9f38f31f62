import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { methodOf } from "../../contract/rpc/contract.js";
import { fetchedUrl } from "../../contract/rpc/evidence.js";
import { takesRequests } from "../../contract/served-host.js";
import { resolveValue } from "../../judge/expressions.js";
import { createMask } from "../../judge/mask.js";
import type { Creations } from "../run/creations.js";
import { createHosts } from "../run/hosts.js";
import { NotApplicableError, type Session } from "../run/session.js";
import type { Answer, CallRpc } from "./answer.js";
import { noMetadata } from "./call-metadata.js";
import { idOf } from "./case-check.js";
import { rulesWithoutResponse } from "./case-claims.js";
import type { ServerProbe } from "./create-server-probe.js";
import { describeExchange, type MadeCall } from "./describe-exchange.js";
import { exchangeOf } from "./exchange-of.js";
import type { RepeatedTarget } from "./repeat-command.js";
import { secretsToMask } from "./report-mask.js";
import { effectOfRpc } from "./rpc-gate.js";
import type { RpcStates } from "./rpc-states.js";

/** The server under test. */
export interface RpcTarget extends RepeatedTarget {
  /** Makes a function that calls the server, each with its own deadline. */
  readonly createCall: () => CallRpc;
  /** What the server does regardless of the case. */
  readonly probe: ServerProbe;
  /** Sets up provider states. Undefined if there are none. */
  readonly states?: RpcStates;
  /** Whether the run may call an RPC. Defaults to any. */
  readonly mayCall?: (rpc: string) => boolean;
  /** Notes what calls create. */
  readonly creations?: Creations;
}

const notFetching =
  "the server does not fetch from http://127.0.0.1, where the hosts of the cases are served. Allow it to";
const withoutFetching = "the server answered without fetching the URL";

/** Creates the session of a case. All of its calls share one deadline. */
export function createRpcSession(target: RpcTarget, one: RpcCase): Session {
  const { contract } = target;
  const callRpc = target.createCall();
  const returned: string[] = [];
  const { states, metadata = noMetadata } = target;
  const mask = (text: string) =>
    createMask([...secretsToMask(one, contract), ...metadata.secrets(), ...returned])(text);
  const made: MadeCall[] = [];
  const hosts = createHosts();

  /**
   * Why a response shows nothing. A server that did not use the URL has no secret to show, so a case with secrets counts only if the server
   * fetched. If the host of the case accepts no request, it is enough that the server fetches at all.
   */
  async function excuse(request: JsonObject, answer: Answer, deviates: boolean): Promise<string | undefined> {
    if (answer.kind === "error" && answer.code === "unimplemented") return "the server answered `unimplemented`";
    const isError = answer.kind === "error";
    const isSecretive = one.secrets !== undefined;
    const couldFetch = fetchedUrl(request, contract) !== undefined && hosts.some(takesRequests);
    const didFetch = hosts.count() > 0;
    if (!didFetch && (isSecretive || (isError && couldFetch)) && !(await target.probe.fetches())) return notFetching;
    if (!didFetch && couldFetch && (isSecretive || (deviates && answer.kind === "reply"))) return withoutFetching;
    return isError && !isSecretive && (await target.probe.refusesAll()) ? "the server refuses every call" : undefined;
  }

  return {
    hasStates: states !== undefined,
    mask,
    serve: ({ host }) => hosts.serve(host),
    call: async ({ call, with: values, extended = false, cancelAt }, scope) => {
      if (call === undefined) throw new Error("A step of an RPC contract calls no RPC");
      if (target.mayCall?.(call) === false) throw new NotApplicableError(`the run must not call ${call}`);
      const method = methodOf(contract, call);
      const request = resolveValue(values, scope) as JsonObject;
      await hosts.rewind();
      const cancel = cancelAt === undefined ? undefined : new AbortController();
      const calling = callRpc(call, request, { extended, ...(cancel && { cancel: cancel.signal }) });
      if (cancel !== undefined) await cancelOnceAsked(cancel, () => hosts.count() > 0);
      const answer = await calling;
      made.push({ rpc: call, request, answer });
      if (answer.kind === "reply") target.creations?.noteCall(call, effectOfRpc(call, contract), request, answer.reply);
      const exchange = exchangeOf({ rpc: call, method }, answer);
      const { unusable } = exchange;
      const rules = rulesWithoutResponse(one, call, contract);
      return {
        ...exchange,
        ...(unusable?.lost && { unusable: { ...unusable, lost: { ...unusable.lost, rules } } }),
        excuse: ({ deviates }) => excuse(request, answer, deviates),
      };
    },
    fork: () => createRpcSession(target, one),
    mayHaveChanged: () => true,
    setUp: async ({ state, params }) => {
      if (states === undefined) throw new Error("The check needs provider states");
      const set = await states.setUp({ state, params, check: idOf(one) });
      returned.push(...set.secrets);
      return set.values;
    },
    lacks: async (state, status) => states?.lacks(state, status) === true,
    helpFor: async (state, params) => states?.helpFor(state, params) ?? "",
    trace: async () => made.map((call) => describeExchange(idOf(one), call, target, mask)),
    close: hosts.close,
  };
}

const pollMs = 20;
const maxPolls = 100;
/** The time in which a server should notice that a call was cancelled. The host stays until then. */
const noticeMs = 500;

async function cancelOnceAsked(cancel: AbortController, isAsked: () => boolean): Promise<void> {
  for (let polls = 0; polls < maxPolls && !isAsked(); polls++) await sleep(pollMs);
  cancel.abort();
  await sleep(noticeMs);
}
