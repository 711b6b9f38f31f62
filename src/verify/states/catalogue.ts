import { readFile } from "node:fs/promises";
import type { ContractDocument, Schema } from "../../contract/rest/document.js";

/** The part of `openapi/states.yaml` that is read here. */
export interface StatesCatalogue extends Pick<ContractDocument, "openapi" | "info" | "servers" | "paths"> {
  /** The description of each caller, by name. */
  readonly "x-callers": Readonly<Record<string, string>>;
  readonly "x-states": Readonly<Record<string, StateEntry>>;
}

/** A provider state. */
export interface StateEntry {
  readonly description?: string;
  /** Whether servers may lack it, so that the checks that need it are skipped. */
  readonly optional?: boolean;
  /** The values that a setup returns, besides `organization` and `credentials`. */
  readonly values?: Schema;
}

let loaded: Promise<StatesCatalogue> | undefined;

const file = new URL("../../../generated/chat/states.json", import.meta.url);

/** Loads the provider states that the cases and workflows use. Reads the file once. */
export function loadStatesCatalogue(): Promise<StatesCatalogue> {
  loaded ??= readFile(file, "utf8")
    .then((text): StatesCatalogue => JSON.parse(text))
    .catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
  return loaded;
}

/** The status by which a server says that it does not implement a provider state. */
const notImplemented = 501;

/**
 * Whether a setup failed because the server lacks the provider state, so that the checks that need it are skipped: the server says so, or
 * the state is optional. `status` is that of the response.
 */
export async function lacksState({
  state,
  status,
}: {
  readonly state: string;
  readonly status: number;
}): Promise<boolean> {
  if (status === notImplemented) return true;
  const { "x-states": states } = await loadStatesCatalogue();
  return Object.hasOwn(states, state) && states[state]?.optional === true;
}

/** A setup that failed. */
export interface FailedSetup {
  readonly state: string;
  readonly params: object;
}

/** Explains what the handler of a provider state must return, with a template to fill in. */
export async function stateHelp({ state, params }: FailedSetup): Promise<string> {
  const { "x-callers": callers, "x-states": states } = await loadStatesCatalogue();
  const found = Object.hasOwn(states, state) ? states[state] : undefined;
  if (found === undefined)
    return `The contract has no provider state ${state}; openapi/states.yaml lists all provider states.`;
  const names = state === "sole-user" ? ["member"] : Object.keys(callers);
  const { properties = {}, required = [] } = found.values ?? {};
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const template = {
    organization: "<names the organization in further setups>",
    credentials: Object.fromEntries(
      names.map((name) => [name, { user_id: "<integer>", email: "<string>", api_key: "<string>" }]),
    ),
    ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, placeholder(schema)])),
  };
  return [
    `Provider state ${state}: ${found.description ?? ""}`,
    `To POST /states with ${JSON.stringify({ state, params, action: "setup" })} answer status 200, application/json, and:`,
    renderTemplate(template),
    ...(optional.length === 0 ? [] : [`Optional values: ${optional.join(", ")}.`]),
    "A setup without `params.organization` makes a fresh organization with these callers; one with it adds to that organization.",
    ...(state === "organization"
      ? []
      : [
          `For a state that the server lacks, answer status ${notImplemented}: the checks that need it are then skipped.`,
        ]),
  ].join("\n");
}

function placeholder({ type, items, description }: Schema): unknown {
  if (items !== undefined) return [placeholder(items)];
  const kind = [type ?? "value"].flat().join(" or ");
  return description === undefined ? `<${kind}>` : `<${kind}: ${description}>`;
}

/** Writes JSON with one line per value and caller, and without quotation marks around placeholders of numbers. */
function renderTemplate(template: object): string {
  const text = JSON.stringify(template, null, 2).replace(/\{\n {6}([^{}]*?)\n {4}\}/g, (_, inner: string) => {
    return `{ ${inner.replace(/\n\s+/g, " ")} }`;
  });
  return text.replace(/"<(integer|number|boolean)([:>][^"]*)"/g, "<$1$2");
}
