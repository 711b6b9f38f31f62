import { accordPlugin } from "../../src/lint/rest/plugin.js";
import { decidesAdditionalProperties } from "./rules/decides-additional-properties.js";
import { formFieldEncoding } from "./rules/form-field-encoding.js";
import { namedSchemas } from "./rules/named-schemas.js";
import { operationKeyOrder } from "./rules/operation-key-order.js";
import { ruleSources } from "./rules/rule-sources.js";
import { sharedProbes } from "./rules/shared-probes.js";

/** The rules for the style of the chat contract, which other contracts need not share. */
export const houseRules = {
  "decides-additional-properties": decidesAdditionalProperties,
  "form-field-encoding": formFieldEncoding,
  "named-schemas": namedSchemas,
  "operation-key-order": operationKeyOrder,
  "rule-sources": ruleSources,
  "shared-probes": sharedProbes,
};

/** The Redocly plugin of this repository, which editors load. */
export function chatPlugin() {
  return accordPlugin(houseRules);
}
