import type { Context, Script } from "node:vm";
import { loadVm } from "./load-ajv.js";
import type { Validator } from "./validator.js";

/** How long a value may take to be compared with a schema. Past it, nothing more is judged by that schema. */
export const maxValidationMs = 2_000;

/** Values with fewer parts are compared at once, without the means to end that. */
const fewParts = 2_000;
/** How many characters count as one part. */
const charactersPerPart = 10;

let deadline: number | undefined;
let isOverdue = false;

/** How much time the comparison that is under way has left, for one pattern that may take long. */
export function leftOfValidation(): number {
  const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - performance.now();
  isOverdue ||= left <= 0;
  return left;
}

/**
 * Limits the time of each call of a validator, and how deep a schema goes that leads back to itself. A value that takes more is valid, as all
 * later ones, and `onGivenUp` is called once.
 */
export function validateWithin(
  validate: Validator,
  onGivenUp: (limit: "time" | "depth") => void,
  limitMs = maxValidationMs,
): Validator {
  let isGivenUp = false;
  const limited: Validator = (value) => {
    limited.errors = null;
    if (isGivenUp) return true;
    // A validation that is a part of another has the time of that.
    if (deadline !== undefined) return judge(value);
    [deadline, isOverdue] = [performance.now() + limitMs, false];
    let isTooDeep = false;
    let isValid = true;
    try {
      isValid = hasFewParts(value) ? judge(value) : within(() => judge(value), limitMs);
    } catch (error) {
      // The stack is full. The error may be of another realm.
      if ((error as Error).name !== "RangeError") throw error;
      isTooDeep = true;
    } finally {
      deadline = undefined;
    }
    if (!isOverdue && !isTooDeep) return isValid;
    isGivenUp = true;
    limited.errors = null;
    onGivenUp(isTooDeep ? "depth" : "time");
    return true;
  };
  const judge = (value: unknown): boolean => {
    const isValid = validate(value);
    limited.errors = validate.errors ?? null;
    return isValid;
  };
  return limited;
}

function hasFewParts(value: unknown): boolean {
  let left = fewParts;
  const count = (part: unknown): boolean => {
    left -= typeof part === "string" ? 1 + part.length / charactersPerPart : 1;
    if (left < 0) return false;
    return typeof part !== "object" || part === null || Object.values(part).every(count);
  };
  return count(value);
}

let runner: { readonly script: Script; readonly context: Context } | undefined;

/** Runs code for a limited time. True past it. */
function within(run: () => boolean, limitMs: number): boolean {
  const vm = loadVm();
  if (vm === undefined) return run();
  runner ??= { script: new vm.Script("run()"), context: vm.createContext({}) };
  runner.context.run = run;
  try {
    return runner.script.runInContext(runner.context, { timeout: limitMs }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    isOverdue = true;
    return true;
  }
}
