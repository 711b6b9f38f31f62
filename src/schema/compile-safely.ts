import { UsageError } from "../base/usage-error.js";
import type { Validator } from "./validator.js";

/** Compiles a schema of a document. One that Ajv cannot compile allows everything, and a warning of the process says so. */
export function compileSafely(name: string, compile: () => Validator | undefined): Validator {
  try {
    return compile() ?? (() => true);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deep" : String(error);
    globalThis.process?.emitWarning?.(`the schema of ${name} cannot be compiled, so it is not judged: ${reason}`);
    return () => true;
  }
}
