import type { Schema } from "../../contract/rest/document.js";
import { baseState, callersOf, type StatesCatalogue, setupAnswer } from "../../contract/rest/states.js";

/** The status by which a server says that it does not implement a provider state. */
const notImplemented = 501;

/**
 * Whether a setup failed because the server lacks the provider state, so that the checks that need it are skipped: the server says so, or
 * the state is optional. `status` is that of the response.
 */
export function lacksState({ "x-states": states }: StatesCatalogue, state: string, status: number): boolean {
  if (status === notImplemented) return true;
  return Object.hasOwn(states, state) && states[state]?.optional === true;
}

/** A setup that failed. */
export interface FailedSetup {
  readonly state: string;
  readonly params: object;
}

/**
 * Explains what the handler of a provider state must return, with a template to fill in. `login` are the fields of credentials, unless the
 * catalogue says more about them. With `isBrief`, what the first state returns is not repeated for others.
 */
export function stateHelp(
  catalogue: StatesCatalogue,
  { state, params }: FailedSetup,
  login: readonly string[] = [],
  { isBrief = false }: { readonly isBrief?: boolean } = {},
): string {
  const { "x-states": states } = catalogue;
  const found = Object.hasOwn(states, state) ? states[state] : undefined;
  if (found === undefined)
    return Object.keys(states).length === 0
      ? "The contract has no provider states: describe them under `x-states` in a states.yaml beside it."
      : `The contract has no provider state ${state}; its states.yaml lists all provider states.`;
  const { hasOrganization, credentials: fields } = setupAnswer(catalogue);
  const names = found.callers ?? callersOf(catalogue);
  const described = Object.entries({
    ...fields,
    ...Object.fromEntries(login.map((name) => [name, fields[name] ?? "string"])),
  });
  const credentials = Object.fromEntries(described.map(([name, type]) => [name, `<${type}>`]));
  const ofCallers = Object.fromEntries(names.map((name) => [name, credentials]));
  const base = baseState(catalogue);
  const isShared = isBrief && state !== base;
  const { properties = {}, required = [] } = found.values ?? {};
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const template = {
    ...(hasOrganization ? { organization: "<names the organization in further setups>" } : {}),
    ...(names.length === 0
      ? {}
      : { credentials: isShared && found.callers === undefined ? `<as ${base} returns them>` : ofCallers }),
    ...Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, placeholder(schema)])),
  };
  return [
    `Provider state ${state}: ${joinLines(found.description ?? "")}`,
    `To POST /states with ${JSON.stringify({ state, params, action: "setup" })} answer status 200, application/json, and:`,
    renderTemplate(template),
    ...(optional.length === 0 ? [] : [`Optional values: ${optional.join(", ")}.`]),
    ...(hasOrganization && !isShared
      ? [
          "A setup without `params.organization` makes a fresh organization with these callers; one with it adds to that organization.",
        ]
      : []),
    ...(state === base
      ? []
      : [
          `For a state that the server lacks, answer status ${notImplemented}: the checks that need it are then skipped.`,
        ]),
  ].join("\n");
}

/** Joins the lines of each paragraph, which the reader's layout breaks anew. */
function joinLines(text: string): string {
  return text.trim().replace(/(?<!\n)\n(?!\s|[-*] )/g, " ");
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
