import type { JsonObject } from "@bufbuild/protobuf";
import { methodOf } from "../../contract/rpc/contract.js";
import { hasUrl } from "../../contract/rpc/evidence.js";
import { isMessage } from "../../contract/rpc/messages.js";
import { takesRequests } from "../../contract/served-host.js";
import { resolveValue } from "../../judge/expressions.js";
import { createMask } from "../../judge/mask.js";
import type { CallRpc, RpcAnswer } from "../../judge/rpc/answer.js";
import { describeMadeCall, type MadeCall } from "../../judge/rpc/describe-call.js";
import { exchangeOf } from "../../judge/rpc/exchange-of.js";
import type { RepeatedTarget } from "../../judge/rpc/repeat-command.js";
import { secretsToMask } from "../../judge/rpc/report-mask.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import { createHosts } from "../run/hosts.js";
import { NotApplicableError, type Session } from "../run/session.js";
import { type CallMetadata, noMetadata } from "./call-metadata.js";
import type { ServerProbe } from "./create-server-probe.js";
import type { RpcCreations } from "./rpc-creations.js";
import type { RpcStates } from "./rpc-states.js";

/** The server under test. */
export interface RpcTarget extends RepeatedTarget {
  /** The metadata of calls. Defaults to none. */
  readonly metadata?: CallMetadata;
  /** Makes a function that calls the server, each with its own deadline. */
  readonly createCall: () => CallRpc;
  /** What the server does regardless of the case. */
  readonly probe: ServerProbe;
  /** Sets up provider states. Undefined if there are none. */
  readonly states?: RpcStates;
  /** Whether the run may call an RPC. Defaults to any. */
  readonly mayCall?: (rpc: string) => boolean;
  /** Called for each response. */
  readonly onAnswer?: (about: RequestAbout) => void;
  /** Notes what calls create. */
  readonly creations?: Pick<RpcCreations, "note">;
}

export const notFetching =
  "the server does not fetch from http://127.0.0.1, where the hosts of the cases are served. Allow it to";
const withoutFetching = "the server answered without fetching the URL";

/** The session of a check of RPCs. */
export interface RpcSession extends Session {
  /** The number of requests to its hosts. */
  readonly fetched: () => number;
  /** Whether a host of it accepts requests. */
  readonly canTakeRequests: () => boolean;
  /** Texts that reports must not show, besides those that the contract calls secret. */
  readonly conceal: (texts: readonly string[]) => void;
}

/** Creates the session of a check, given by its id. All of its calls share one deadline. */
export function createRpcSession(target: RpcTarget, check: string): RpcSession {
  const { contract } = target;
  const callRpc = target.createCall();
  const secrets = new Set<string>();
  const { states, metadata = noMetadata } = target;
  const conceal = (texts: readonly string[]) => {
    for (const text of texts) secrets.add(text);
  };
  const mask = (text: string) => createMask([...secrets, ...metadata.secrets()])(text);
  const made: MadeCall[] = [];
  const hosts = createHosts();

  /** Why a response shows nothing. */
  async function excuse(request: JsonObject, answer: RpcAnswer, deviates: boolean): Promise<string | undefined> {
    if (answer.kind === "error" && answer.code === "unimplemented") return "the server answered `unimplemented`";
    const isError = answer.kind === "error";
    const couldFetch = hasUrl(request) && hosts.some(takesRequests) && hosts.count() === 0;
    if (couldFetch && isError && !(await target.probe.fetches())) return notFetching;
    if (couldFetch && deviates && answer.kind === "reply") return withoutFetching;
    return isError && (await target.probe.refusesAll()) ? "the server refuses every call" : undefined;
  }

  return {
    hasStates: states !== undefined,
    mask,
    serve: ({ host }) => hosts.serve(host),
    fetched: hosts.count,
    canTakeRequests: () => hosts.some(takesRequests),
    conceal,
    call: async ({ call, with: values, form, unanswered = [], as }, scope) => {
      if (call === undefined) throw new Error("A step of an RPC contract calls no RPC");
      if (as === "other" && !metadata.hasOther)
        throw new NotApplicableError("it needs an account of other: give --account other=TOKEN");
      if (target.mayCall?.(call) === false) throw new NotApplicableError(`the run must not call ${call}`);
      const method = methodOf(contract, call);
      const request = resolveValue(values, scope) as JsonObject;
      if (!isMessage(method.input, request, contract.registry))
        throw new NotApplicableError(`a value of an earlier response has another type than a field of ${call}`);
      await hosts.rewind();
      conceal(secretsToMask(method.input, request, contract.isSecret));
      const answer = await callRpc(call, request, as === "other" ? { ...form, as } : form);
      made.push({ rpc: call, request, answer });
      if (answer.kind === "reply") target.creations?.note(call, request, answer.reply);
      const exchange = exchangeOf({ rpc: call, method }, answer);
      const { unusable } = exchange;
      if (unusable?.lost === undefined) target.onAnswer?.({ request: call, operation: call, rules: unanswered });
      return {
        ...exchange,
        ...(unusable?.lost && { unusable: { ...unusable, lost: { ...unusable.lost, rules: unanswered } } }),
        excuse: ({ deviates }) => excuse(request, answer, deviates),
      };
    },
    fork: () => createRpcSession(target, check),
    mayHaveChanged: () => true,
    setUp: async ({ state, params }) => {
      if (states === undefined) throw new Error("The check needs provider states");
      const set = await states.setUp({ state, params, check });
      conceal(set.secrets);
      return set.values;
    },
    lacks: async (state, status) => states?.lacks(state, status) === true,
    helpFor: async (state, params) => states?.helpFor(state, params) ?? "",
    requests: () => made.length,
    trace: async () => made.map((call) => describeMadeCall(check, call, target, mask)),
    close: hosts.close,
  };
}
