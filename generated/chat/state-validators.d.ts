// Written by `npm run generate`. Not to be edited.
import type { StateName } from "./states.js";
import type { Validator } from "./validators.js";
/** Check the parameters of each provider state, `organization` among them. */
export declare const stateValidators: Readonly<Record<StateName, Validator>>;
