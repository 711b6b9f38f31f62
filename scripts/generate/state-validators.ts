import standalone from "ajv/dist/standalone/index.js";
import { type StatesDocument, setupParams, sharedTypes } from "../../src/contract/rest/states/states-document.js";
import { createAjv } from "../../src/schema/create-ajv.js";
import { bundleValidators } from "./bundle-validators.js";

/** The code of the validators for the parameters of each provider state. It imports no package. */
export async function stateValidatorsModule(document: StatesDocument): Promise<string> {
  const states = Object.entries(document["x-states"]);
  const ajv = createAjv({ strict: false, inlineRefs: false, code: { source: true } });
  ajv.addSchema(sharedTypes(document));
  const exported = Object.fromEntries(states.map(([name], index) => [`state${index}`, name]));
  for (const [name, state] of states) ajv.addSchema(setupParams(state), name);
  const rows = states.map(([name], index) => `${JSON.stringify(name)}: v.state${index}`);
  return bundleValidators(
    standalone.default(ajv, exported),
    `import * as v from "validators";
export const stateValidators = {${rows.join(", ")}};`,
  );
}

/** The type declarations for `stateValidatorsModule`. */
export const stateValidatorsTypes = `// Written by \`npm run generate\`. Not to be edited.
import type { StateName } from "./states.js";
import type { Validator } from "./validators.js";
/** Check the parameters of each provider state, \`organization\` among them. */
export declare const stateValidators: Readonly<Record<StateName, Validator>>;
`;
