import { expectedOf } from "../../contract/calls.js";
import type { CallStep, Check } from "../../contract/check.js";
import { pointerKeys } from "../../contract/json-pointer.js";
import type { ImpliedRules } from "../../contract/rest/implied-rules.js";
import type { Judgement } from "./judge-call.js";
import { rulesOfStep } from "./progress.js";

/**
 * The rules that a wrong response to a call breaks. One that differs from what the step expects breaks the rules of the step. One that the
 * contract forbids breaks the implied rule about responses, and the rules of the step if these expect something of the part that is wrong.
 */
export function brokenBy(
  check: Check,
  step: CallStep,
  { unexpected, forbidden }: Pick<Judgement, "unexpected" | "forbidden">,
  implied: ImpliedRules | undefined,
): readonly string[] {
  const expected = Object.keys(expectedOf(step).body ?? {}).filter((place) => /^(?:\/|$)/.test(place));
  const isAbout = forbidden.some(({ at }) => at !== undefined && expected.some((place) => overlap(place, at)));
  // These are judged by themselves, in every response.
  const separate = implied === undefined ? [] : [implied.statuses, implied.failures];
  const own = unexpected.length > 0 || isAbout ? rulesOfStep(check, step) : [];
  const ofResponse = forbidden.length > 0 && implied !== undefined ? [implied.response] : [];
  return [...new Set([...own, ...ofResponse])].filter((rule) => !separate.includes(rule));
}

/** Whether one place in a body is in the other. `*` stands for any key. */
function overlap(one: string, other: string): boolean {
  const [keys, others] = [pointerKeys(one), pointerKeys(other)];
  return keys.every((key, index) => {
    const opposite = others[index];
    return opposite === undefined || key === opposite || key === "*" || opposite === "*";
  });
}
