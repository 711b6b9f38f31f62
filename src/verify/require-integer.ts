import { CouldNotRunError } from "./could-not-run-error.js";

/** Throws a `CouldNotRunError` that names an option unless its value is an integer within its bounds. */
export function requireInteger(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new CouldNotRunError(`${name} must be an integer ${bounds}, not ${value}`);
}
