import type { StateStep } from "../check.js";
import { type ContractDocument, resolve, type Schema } from "./document.js";

/** The part of `states.yaml`, the provider states of a contract, that is read here. */
export interface StatesCatalogue extends Partial<Pick<ContractDocument, "openapi" | "info" | "servers" | "paths">> {
  /** The description of each caller, by name. */
  readonly "x-callers"?: Readonly<Record<string, string>>;
  /** The callers who have roles, most powerful first; each may do what those after it may. */
  readonly "x-roles"?: readonly string[];
  /** The caller whose account was deactivated. */
  readonly "x-deactivated"?: string;
  readonly "x-states": Readonly<Record<string, StateEntry>>;
}

/** A provider state. */
export interface StateEntry {
  readonly description?: string;
  /** Whether servers may lack it, so that the checks that need it are skipped. */
  readonly optional?: boolean;
  /** The callers that it has, if they are not all. */
  readonly callers?: readonly string[];
  readonly params?: Schema;
  /** The values that a setup returns, besides `organization` and `credentials`. */
  readonly values?: Schema;
}

/** The names of the callers. */
export function callersOf({ "x-callers": callers = {} }: StatesCatalogue): string[] {
  return Object.keys(callers);
}

/** The state from which checks start that name none: the first one. It makes the callers. Undefined if there are no states. */
export function baseState({ "x-states": states }: StatesCatalogue): string | undefined {
  return Object.keys(states)[0];
}

/** The step that sets up a base state. None if there is no state. */
export function baseSteps(base: string | undefined): StateStep[] {
  return base === undefined ? [] : [{ kind: "state", id: base, state: base, params: {}, values: [] }];
}

/** What the answer to each setup has. */
export interface SetupAnswer {
  /** Whether it names the organization of the check. */
  readonly hasOrganization: boolean;
  /** The JSON types of the fields of each caller's credentials, by name. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Returns what the catalogue says of the answers to setups, and the names of their values: nothing, unless it describes the request. */
export function setupAnswer(catalogue: Pick<StatesCatalogue, "paths">): SetupAnswer & { values: string[] } {
  const response = Object.values(catalogue.paths ?? {})[0]?.post?.responses["200"];
  const content =
    response === undefined
      ? {}
      : (resolve<{ content?: Record<string, { schema: Schema }> }>(catalogue, response).content ?? {});
  const { properties = {} } = Object.values(content)[0]?.schema ?? {};
  const { additionalProperties: caller } = properties.credentials ?? {};
  const { required = [], properties: fields = {} }: Schema = typeof caller === "object" ? caller : {};
  return {
    values: Object.keys(properties),
    hasOrganization: properties.organization !== undefined,
    credentials: Object.fromEntries(required.map((name) => [name, String(fields[name]?.type ?? "string")])),
  };
}
