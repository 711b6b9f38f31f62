import type { Schema } from "../../contract/rest/document.js";
import type { StatesCatalogue } from "../../contract/rest/states.js";
import { typeName } from "../../judge/compile-matcher.js";
import { describeType } from "../../judge/quote.js";
import { StateSetupError } from "./states-client.js";

/**
 * Throws a `StateSetupError` if a value that a provider state returned has another type than `states.yaml` says. Otherwise, a
 * check would report a server that is right. `nameOf` tells by which name `values` has the value.
 */
export function requireTypes(
  { "x-states": states }: StatesCatalogue,
  state: string,
  values: Readonly<Record<string, unknown>>,
  nameOf: (name: string) => string = (name) => name,
): void {
  const { properties = {} } = states[state]?.values ?? {};
  for (const [name, schema] of Object.entries<Schema>(properties)) {
    const value = values[nameOf(name)];
    if (value === undefined || typeName(value) === schema.type) continue;
    const reason = `${name} must be of type ${schema.type}, but is ${describeType(value)}`;
    throw new StateSetupError(state, reason, { status: 200 });
  }
}
