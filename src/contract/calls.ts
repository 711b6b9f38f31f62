import type { Caller, CallStep, Check, Expected } from "./check.js";

/** The callers without an account in the organization: one without credentials, and one with unknown ones. */
export const outsiders: readonly string[] = ["nobody", "stranger"];

/** Whether a caller has no account: an outsider, or one with other credentials than those of the provider states. */
export function isOutsider(caller: Caller): boolean {
  return typeof caller === "object" || outsiders.includes(caller);
}

/** The name of a caller. Other credentials are those of a stranger. */
export function callerName(caller: Caller): string {
  return typeof caller === "object" ? "stranger" : caller;
}

/** The calls of a check, also those in parallel. */
export function callsOf(check: Pick<Check, "steps"> | undefined): CallStep[] {
  return (check?.steps ?? []).flatMap((step) =>
    step.kind === "parallel" ? step.steps : step.kind === "call" ? [step] : [],
  );
}

/** The operations that a check calls, each once. */
export function operationsOf(check: Pick<Check, "steps"> | undefined): string[] {
  const calls = callsOf(check);
  const ids = calls.flatMap(({ call }) => call ?? []);
  return calls.length < 2 ? ids : [...new Set(ids)];
}

/** What a call expects for the rules of its step. */
export function expectedOf({ expect }: Pick<CallStep, "expect">): Expected {
  return expect.find(({ rules }) => rules === undefined) ?? {};
}

/** Whether a call must be refused. */
export function expectsRefusal(step: Pick<CallStep, "expect">): boolean {
  const { status } = expectedOf(step);
  return status === "4XX" || (typeof status === "number" && status >= 400);
}

/** Whether a call must succeed. */
export function expectsSuccess(step: Pick<CallStep, "expect">): boolean {
  const { status } = expectedOf(step);
  return status === "2XX" || (typeof status === "number" && status < 300);
}
