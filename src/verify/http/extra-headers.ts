import { validateHeaderName, validateHeaderValue } from "node:http";
import { CouldNotRunError } from "../../base/could-not-run-error.js";

/** Headers that requests have of their own. */
const own = /^(?:authorization|connection|content-(?:length|type)|host|transfer-encoding|user-agent)$/i;
const secretName = /auth|cookie|credential|key|pass|secret|session|signature|token/i;
/** A text without spaces that is this long may be a key. */
const minKeyLength = 16;

/** Headers for every request. */
export interface ExtraHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** What of them looks like a credential. */
  readonly secrets: readonly string[];
}

/**
 * Parses headers such as `X-Tenant: acme`. `secretNames`, in lower case, are those of the contract's API keys. Throws a `CouldNotRunError`
 * that quotes no value.
 */
export function parseHeaders(lines: readonly string[], secretNames: readonly string[]): ExtraHeaders {
  const entries = lines.map(parseHeader);
  const secrets = entries.flatMap(([name, value]) =>
    secretNames.includes(name.toLowerCase()) || isCredential(name, value) ? [value, ...value.split(/[\s;,=]+/)] : [],
  );
  return { headers: Object.fromEntries(entries), secrets };
}

function parseHeader(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(colon, 0)).trim();
  const value = line.slice(colon + 1).trim();
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new CouldNotRunError("A header is not of the form 'Name: value'");
  }
  if (own.test(name))
    throw new CouldNotRunError(`Requests have a header ${name} of their own; credentials are given with --account`);
  return [name, value];
}

function isCredential(name: string, value: string): boolean {
  return secretName.test(name) || value.split(/\s+/).some((word) => word.length >= minKeyLength);
}
