import { UsageError } from "../base/usage-error.js";
import { warnOnce } from "../text/warn-once.js";
import { maxValidationMs, validateWithin } from "./validate-within.js";
import type { Validator } from "./validator.js";

/**
 * Compiles a schema of a document. One that Ajv cannot compile, or whose comparison with a value takes too long, allows everything, and a
 * warning of the process says so.
 */
export function compileSafely(name: string, compile: () => Validator | undefined): Validator {
  try {
    const validate = compile();
    if (validate === undefined) return () => true;
    const reasons = { time: `a value took more than ${maxValidationMs / 1000} s`, depth: "it leads back to itself" };
    return validateWithin(validate, (limit) =>
      warnOnce(`the schema of ${name} is not judged any more: ${reasons[limit]}`),
    );
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deep" : String(error);
    warnOnce(`the schema of ${name} cannot be compiled, so it is not judged: ${reason}`);
    return () => true;
  }
}
