/**
 * Whether a server let a request through that it has to refuse with a status, or with any error when none is given. Other errors than
 * those of a login say that it looked at the request before its credentials, so they let the caller through.
 */
export function isLetThrough(actual: number, expected: number | undefined): boolean {
  if (expected !== undefined && expected < 400) return false;
  if (expected === 401) return actual < 500 && actual !== 401 && actual !== 403;
  return actual < 300;
}
