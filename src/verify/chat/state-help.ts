import type { Schema } from "../../contract/chat/document.js";
import { loadStatesCatalogue } from "./states-catalogue.js";

/** A setup that went wrong. */
export interface FailedSetup {
  readonly state: string;
  readonly params: object;
}

/** What the handler of a provider state has to return, with a template to fill in. */
export async function stateHelp({ state, params }: FailedSetup): Promise<string> {
  const { "x-callers": callers, "x-states": states } = await loadStatesCatalogue();
  const found = Object.hasOwn(states, state) ? states[state] : undefined;
  if (found === undefined)
    return `The contract has no provider state ${state}; openapi/states.yaml lists those that it has.`;
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
    templateText(template),
    ...(optional.length === 0 ? [] : [`Values that may be left out: ${optional.join(", ")}.`]),
    "A setup without `params.organization` makes a fresh organization with these callers; one with it adds to that organization.",
  ].join("\n");
}

function placeholder({ type, items, description }: Schema): unknown {
  if (items !== undefined) return [placeholder(items)];
  const kind = [type ?? "value"].flat().join(" or ");
  return description === undefined ? `<${kind}>` : `<${kind}: ${description}>`;
}

/** JSON with a line for each value and caller, and without quotation marks around placeholders of numbers. */
function templateText(template: object): string {
  const text = JSON.stringify(template, null, 2).replace(/\{\n {6}([^{}]*?)\n {4}\}/g, (_, inner: string) => {
    return `{ ${inner.replace(/\n\s+/g, " ")} }`;
  });
  return text.replace(/"<(integer|number|boolean)([:>][^"]*)"/g, "<$1$2");
}
