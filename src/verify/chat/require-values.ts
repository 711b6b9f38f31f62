import type { Case } from "../../contract/chat/cases.js";
import type { Schema } from "../../contract/chat/document.js";
import { fitsSchema } from "./fits-schema.js";
import { kindOf } from "./kind-of.js";
import { loadStatesCatalogue } from "./states-catalogue.js";
import { StateSetupError, type StatesOutcome } from "./states-client.js";

/**
 * Rejects with a `StateSetupError` when the states of a case have not returned what the case needs: the values that they have to return, of their types,
 * ids for its parameters, what its `bind` names, and credentials of `callers`. Without these the request would be another one, and its
 * answer no fault of the server.
 */
export async function requireValues(
  { given, bind, request }: Case,
  { values, credentials }: Pick<StatesOutcome, "values" | "credentials">,
  callers: readonly string[],
): Promise<void> {
  const catalogue = await loadStatesCatalogue();
  const { "x-states": states } = catalogue;
  const sources = leaves(bind);
  const bound = sources.map((source) => source.split(".", 1)[0] ?? "");
  const sent = new Set([...Object.keys({ ...request.path, ...request.query, ...request.body }), ...bound]);
  for (const { state, rename } of given) {
    const { required = [], properties = {} } = states[state]?.values ?? {};
    const missing = Object.entries<Schema>(properties)
      .filter(([name, schema]) => {
        const own = rename[name] ?? name;
        const isNeeded = required.includes(name) || bound.includes(own) || (schema.type === "integer" && sent.has(own));
        return isNeeded && values[own] === undefined;
      })
      .map(([name]) => name);
    if (missing.length > 0)
      throw new StateSetupError(state, `the answer has no ${missing.join(", ")}`, { status: 200 });
    for (const [name, schema] of Object.entries<Schema>(properties)) {
      const value = values[rename[name] ?? name];
      if (value === undefined || fitsSchema(catalogue, schema, value)) continue;
      const reason = `${name} has to be of type ${schema.type}, and is ${kindOf(value)}`;
      throw new StateSetupError(state, reason, { status: 200 });
    }
  }
  const named = sources.flatMap((source) => /^credentials\.(\w+)\./.exec(source)?.[1] ?? []);
  const absent = [...new Set([...callers, ...named])].filter((name) => !Object.hasOwn(credentials, name));
  if (absent.length > 0) {
    const reason = `the answer has no credentials of ${absent.join(", ")}`;
    throw new StateSetupError(given[0]?.state ?? "organization", reason, { status: 200 });
  }
}

/** The texts in a value. */
function leaves(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leaves);
  return [String(value)];
}
