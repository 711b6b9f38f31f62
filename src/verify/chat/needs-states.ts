import type { Case } from "../../contract/chat/cases.js";

/** Whether a case can only be run where provider states can be set up: it starts from some, or its caller has an account. */
export function needsStates({ given, as }: Pick<Case, "given" | "as">): boolean {
  return given.length > 0 || !isOutsider(as);
}

/** Whether a caller has no account. */
export function isOutsider(caller: string): boolean {
  return caller === "nobody" || caller === "stranger";
}

/** Why a check is left out that needs states where there are none. */
export const needsStatesReason = "it needs provider states: give --states";
