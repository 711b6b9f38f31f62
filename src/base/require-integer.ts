import { CouldNotRunError } from "./could-not-run-error.js";

/** Throws a `CouldNotRunError` that names the option unless its value is an integer within the bounds. */
export function requireInteger(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new CouldNotRunError(`${name} must be an integer ${bounds}, not ${value}`);
}
