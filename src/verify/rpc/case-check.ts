import type { CallStep, Check, StateStep, Step } from "../../contract/check.js";
import { literals } from "../../contract/expressions.js";
import { claimsOf, rulesWithoutResponse } from "../../contract/rpc/case-claims.js";
import type { Binding, EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { earlierCalls, findShowableRules, givenStates, hostOf } from "../../contract/rpc/evidence.js";
import { localizeUrl } from "../run/serve-host.js";

/** The id of the check of a case. */
export function idOf({ name, derived }: Pick<RpcCase, "name" | "derived">): string {
  return `${derived ? "probe" : "case"} ${name}`;
}

/** Returns the check of a case: the host of its URLs, the earlier calls, and its own call with everything that the contract claims of it. */
export function rpcCaseCheck(one: RpcCase, contract: RpcContract): Check {
  const host = hostOf(one);
  const calls = earlierCalls(one);
  const { rpc, request, bind = {} } = one;
  const own: CallStep = {
    ...callStep({ id: "call", call: rpc, with: { ...literals(request), ...expressions(bind) } }, one, contract),
    claims: claimsOf(one, contract),
    ...(one.open === undefined || one.reply === undefined
      ? {}
      : {
          expect: { status: "ok" },
          precondition: { because: "the server refused the call, which the contract leaves open" },
        }),
  };
  const overlapping = calls.filter(({ overlaps }) => overlaps);
  const beside = (when: string): CallStep[] =>
    overlapping.map((call) => ({ ...callStep(call, one, contract), id: `${call.id}-${when}` }));
  const states = givenStates(one).map(
    ({ id, state, params = {} }): StateStep => ({ kind: "state", id, state, params, values: [] }),
  );
  const steps: Step[] = [
    ...states,
    ...(host === undefined || host.kind === "unknown" ? [] : [{ kind: "serve", id: "host", host } as const]),
    ...calls.filter(({ overlaps }) => !overlaps).map((call) => earlierStep(call, one, contract)),
    overlapping.length === 0
      ? own
      : { kind: "parallel", id: "calls", steps: [...beside("before"), own, ...beside("after")] },
  ];
  return {
    id: idOf(one),
    kind: one.derived ? "probe" : "case",
    operation: one.rpc,
    summary: one.summary,
    rules: findShowableRules(one, contract),
    steps: steps.map((step) => withOutputs(step, steps)),
  };
}

function earlierStep(call: EarlierCall, one: RpcCase, contract: RpcContract): CallStep {
  const { id, expect = { status: "ok" } } = call;
  const isRefused = expect.status !== "ok";
  return {
    ...callStep(call, one, contract),
    expect,
    precondition: isRefused
      ? { because: `the server did not refuse the earlier call ${id}` }
      : { because: `the server refused the earlier call ${id} of ${call.call}`, saysHow: true },
  };
}

function callStep({ id, call, with: values }: EarlierCall, one: RpcCase, contract: RpcContract): CallStep {
  const host = hostOf(one);
  const isServed = host !== undefined && host.kind !== "unknown";
  const led = Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? atHost(value) : value]);
  return {
    ...{ kind: "call", id, as: "nobody", call, with: isServed ? Object.fromEntries(led) : values },
    ...{ expect: { status: "any" }, unanswered: rulesWithoutResponse(one, call, contract) },
  };
}

/** The values of earlier replies that request fields take, as expressions. */
function expressions(bind: Binding): Record<string, string> {
  return Object.fromEntries(Object.entries(bind).map(([field, source]) => [field, `$${source}`]));
}

/** Leads an http or https URL to the host of the case, and keeps every other byte. */
function atHost(url: string): string {
  const place = "127.0.0.1:1";
  const localized = localizeUrl(url, `http://${place}`);
  return localized === url ? url : localized.replace(place, "{$host.address}");
}

/** Keeps the fields of the reply that later steps refer to. */
function withOutputs(step: Step, all: readonly Step[]): Step {
  if (step.kind !== "call") return step;
  const used = [...JSON.stringify(all).matchAll(/\$([\w-]+)\.(\w+)/g)].flatMap(([, id, field = ""]) =>
    id === step.id ? field : [],
  );
  const outputs = Object.fromEntries(used.map((field) => [field, `/${field}`]));
  return used.length === 0 ? step : { ...step, outputs };
}
