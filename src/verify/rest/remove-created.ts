import type { CallStep } from "../../contract/check.js";
import { literal } from "../../contract/expressions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { CreatedThing } from "../../report/model/json-report.js";
import { maxRemoved } from "../run/creations.js";
import type { Gate } from "../run/gate.js";
import type { Session } from "../run/session.js";

/** What removing needs. */
export interface RemovalOptions {
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly gate: Gate;
  /** The path of the API. */
  readonly basePath: string;
  /** The caller of what needs a login. */
  readonly as: string;
  readonly createSession: () => Session;
}

/** Removes what a run created and no check removed, the last first: what is below something else was made after it. */
export async function removeCreated(created: readonly CreatedThing[], options: RemovalOptions): Promise<void> {
  const { operations, gate, basePath, as, createSession } = options;
  const removing = [...operations.values()].filter((one) => one.method === "DELETE" && !gate.isExcluded(one));
  for (const { thing } of created.toReversed().slice(0, maxRemoved)) {
    const found = removing.flatMap((operation) => {
      const values = valuesOf(`${basePath}${operation.path}`, thing);
      return values === undefined ? [] : [{ operation, values }];
    });
    // Of `/orders/{id}` and `/orders/last`, the one that names more.
    const [first] = found.sort((one, other) => Object.keys(one.values).length - Object.keys(other.values).length);
    if (first === undefined) continue;
    const { operation, values } = first;
    const call: CallStep = {
      ...{ kind: "call", id: "remove", as: operation.logins.length === 0 ? "nobody" : as, call: operation.operationId },
      ...{ with: { ...requiredValues(operation), ...values }, expect: [] },
    };
    // What cannot be removed is named in the report.
    await createSession()
      .call(call, () => undefined)
      .catch(() => undefined);
  }
}

/** The values in a path. Undefined if it does not match the template. */
function valuesOf(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{([^{}]+)\}$/.exec(part) ?? [];
    const text = given[index] ?? "";
    if (name === undefined && part !== text) return undefined;
    if (name === undefined) continue;
    try {
      values[name] = literal(decodeURIComponent(text));
    } catch {
      return undefined;
    }
  }
  return values;
}

/** The examples of the other parameters that an operation requires. */
function requiredValues({ cases, parameters }: ProbedOperation): Record<string, unknown> {
  const { query = {}, header = {} } = cases[0]?.request ?? {};
  const needed = parameters.filter(({ required, place }) => required && (place === "query" || place === "header"));
  return Object.fromEntries(needed.map(({ name }) => [name, query[name] ?? header[name]]));
}
