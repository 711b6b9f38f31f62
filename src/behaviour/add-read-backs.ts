import type { Caller } from "../contract/check.js";
import type { ReadBack } from "../contract/rest/read-back.js";
import type { NamedStep } from "./name-steps.js";

/**
 * Adds reads before and after refused requests, to notice a server that changes something anyway. Refusals with nothing
 * but reads between them share the reads before the first and after the last. Adds none where there is nothing to read.
 */
export function addReadBacks(named: readonly NamedStep[], as: Caller, readBack: ReadBack): NamedStep[] {
  const steps: NamedStep[] = [];
  let isFilled = false;
  for (let index = 0; index < named.length; ) {
    const step = named[index] as NamedStep;
    if (step.kind === "setup" && readBack.after.includes(step.source.state)) isFilled = true;
    const end = isFilled && isRefused(step, readBack) ? endOfRefusals(named, index, readBack) : index;
    if (end === index) {
      steps.push(step);
      index++;
      continue;
    }
    const group = named.slice(index, end);
    const reader = readerOf(step, as, readBack);
    const before = `before-${step.id}`;
    steps.push(readStep(before, step, reader, readBack, {}));
    steps.push(...group);
    const last = group.at(-1) ?? step;
    steps.push(readStep(`after-${last.id}`, last, reader, readBack, { since: before }));
    index = end;
  }
  return steps;
}

/** Returns the index after the last refusal of those that begin at an index. */
function endOfRefusals(named: readonly NamedStep[], start: number, readBack: ReadBack): number {
  let end = start;
  for (let index = start; index < named.length; index++) {
    const step = named[index];
    if (step === undefined || step.kind === "setup") break;
    if (isRefused(step, readBack)) end = index + 1;
    else if (step.source.call !== readBack.call) break;
  }
  return end;
}

function isRefused(step: NamedStep, { call }: ReadBack): boolean {
  if (step.kind === "call" && step.source.call === call) return false;
  const status = step.kind === "call" ? (step.source.expect?.status ?? 200) : 200;
  return status === "4XX" || Number(status) >= 400;
}

/** The caller of a step, if the step names one with an account. */
function readerOf(step: NamedStep, workflowAs: Caller, readBack: ReadBack): string {
  const { as = workflowAs } = step.kind === "call" ? step.source : {};
  return typeof as === "string" && as !== "nobody" ? as : readBack.as;
}

function readStep(
  id: string,
  { path }: NamedStep,
  as: string,
  { call, with: values, rule, compare, except }: ReadBack,
  { since }: { readonly since?: string },
): NamedStep {
  const isLast = since !== undefined;
  const source = {
    id,
    call,
    as,
    with: values,
    ...(isLast ? { rules: [rule] } : {}),
    readBack: { ...(isLast ? { since } : {}), compare, except },
  };
  return { kind: "call", id, path, source };
}
