import type { CallStep, Check, Output, StateStep, Step } from "../../contract/check.js";
import { literals } from "../../contract/expressions.js";
import { withBound } from "../../contract/rpc/bindings.js";
import { expectationsOf, rulesWithoutResponse } from "../../contract/rpc/case-expectations.js";
import type { EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { earlierCalls, findShowableRules, givenStates, hostOf, mustSucceed } from "../../contract/rpc/evidence.js";
import { localizeUrl } from "../run/serve-host.js";

/** The id of the check of a case. */
export function idOf({ name, derived }: Pick<RpcCase, "name" | "derived">): string {
  return `${derived?.kind ?? "case"} ${name}`;
}

/** Returns the check of a case: the host of its URLs, the earlier calls, and its own call with everything that the contract expects of it. */
export function rpcCaseCheck(one: RpcCase, contract: RpcContract): Check {
  const host = hostOf(one);
  const calls = earlierCalls(one);
  const { rpc, request, bind = {} } = one;
  const mayBeRefused = one.open !== undefined && one.reply !== undefined;
  const own: CallStep = {
    ...callStep({ id: "call", call: rpc, with: withBound(literals(request), bind), as: one.as }, one, contract),
    expect: [...expectationsOf(one, contract), ...(mayBeRefused ? [{ status: "ok" }] : [])],
    within: one.within,
    precondition: mayBeRefused ? { because: "the server refused the call, which the contract leaves open" } : undefined,
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
    kind: one.derived?.kind ?? "case",
    operation: one.rpc,
    summary: one.summary,
    rules: findShowableRules(one, contract),
    ...(one.derived === undefined ? {} : { derived: one.derived.depth }),
    steps: steps.map((step) => withOutputs(step, steps, one)),
  };
}

function earlierStep(call: EarlierCall, one: RpcCase, contract: RpcContract): CallStep {
  const { id, expect: { status = "ok", ...body } = {} } = call;
  const isRefused = !mustSucceed(call);
  return {
    ...callStep(call, one, contract),
    expect: [{ status, ...(Object.keys(body).length === 0 ? {} : { body }) }],
    precondition: isRefused
      ? { because: `the server did not refuse the earlier call ${id}` }
      : { because: `the server refused the earlier call ${id} of ${call.call}`, saysHow: true },
  };
}

function callStep({ id, call, with: values, as }: EarlierCall, one: RpcCase, contract: RpcContract): CallStep {
  const host = hostOf(one);
  const isServed = host !== undefined && host.kind !== "unknown";
  const led = Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? atHost(value) : value]);
  return {
    ...{ kind: "call", id, as: as ?? "nobody", call, with: isServed ? Object.fromEntries(led) : values },
    ...{ expect: [], unanswered: rulesWithoutResponse(one, call, contract) },
  };
}

/** Leads an http or https URL to the host of the case, and keeps every other byte. */
function atHost(url: string): string {
  const place = "127.0.0.1:1";
  const localized = localizeUrl(url, `http://${place}`);
  return localized === url ? url : localized.replace(place, "{$host.address}");
}

/** Keeps the fields of the reply that later steps refer to. What a reply is only compared with may be missing. */
function withOutputs(step: Step, all: readonly Step[], one: RpcCase): Step {
  if (step.kind !== "call") return step;
  const fieldsIn = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/\$([\w-]+)\.(\w+)/g)].flatMap(([, id, field = ""]) =>
      id === step.id ? field : [],
    );
  const needed = new Set(fieldsIn(all.map((other) => (other.kind === "call" ? other.with : other))));
  const outputs = [...new Set(fieldsIn(all))].map((field): [string, Output] => {
    if (one.derived === undefined) return [field, `/${field}`];
    return [field, { at: `/${field}`, ...(needed.has(field) ? { optional: true } : { otherwise: null }) }];
  });
  return outputs.length === 0 ? step : { ...step, outputs: Object.fromEntries(outputs) };
}
