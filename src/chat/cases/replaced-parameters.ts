import type { Case } from "../../contract/rest/cases.js";
import type { StatesOutcome } from "../../verify/states/states-client.js";

/**
 * Lists the parameters of a case that get a value which its provider states returned: a value of the same name, or what `bind` names.
 * Throws an `Error` if `bind` names a value that was not returned. Source: openapi/README.md, section "Cases".
 */
export function replacedParameters(
  { request: { path, query, body }, bind }: Pick<Case, "request" | "bind">,
  { values, credentials }: Pick<StatesOutcome, "values" | "credentials">,
): Record<string, unknown> {
  const examples: Readonly<Record<string, unknown>> = { ...path, ...query, ...body };
  const returned = Object.entries(values).filter(([name]) => Object.hasOwn(examples, name));
  const bound = Object.entries(bind).map(([name, source]) => [name, readSource(source, { ...values, credentials })]);
  return Object.fromEntries([...returned, ...bound]);
}

/** Replaces each dotted path, such as `credentials.other.user_id`, with its value. */
function readSource(source: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(source)) return source.map((item) => readSource(item, values));
  if (typeof source === "object" && source !== null) {
    return Object.fromEntries(Object.entries(source).map(([key, item]) => [key, readSource(item, values)]));
  }
  const value = String(source)
    .split(".")
    .reduce<unknown>(
      (node, key) =>
        typeof node === "object" && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined,
      values,
    );
  if (value === undefined) throw new Error(`bind names ${String(source)}, but no state of the case returned it`);
  return value;
}
