import { collectCases } from "./collect-cases.js";
import { caseKnownNames } from "./rules/case-known-names.js";
import { casePerErrorCode } from "./rules/case-per-error-code.js";
import { clientRules } from "./rules/client-rules.js";
import { decidesAdditionalProperties } from "./rules/decides-additional-properties.js";
import { described } from "./rules/described.js";
import { featureLevel } from "./rules/feature-level.js";
import { formFieldEncoding } from "./rules/form-field-encoding.js";
import { namedSchemas } from "./rules/named-schemas.js";
import { operationKeyOrder } from "./rules/operation-key-order.js";
import { refersTo } from "./rules/refers-to.js";
import { reliesOn } from "./rules/relies-on.js";
import { ruleIds } from "./rules/rule-ids.js";
import { shownBy } from "./rules/shown-by.js";
import { statesCatalogue } from "./rules/states-catalogue.js";

/** Our Redocly plugin: the rules of this project for the contract, and the preprocessor that adds its cases. */
export function accordPlugin() {
  return {
    id: "accord",
    preprocessors: { oas3: { "collect-cases": collectCases } },
    rules: {
      oas3: {
        "case-known-names": caseKnownNames,
        "case-per-error-code": casePerErrorCode,
        "client-rules": clientRules,
        "decides-additional-properties": decidesAdditionalProperties,
        described,
        "feature-level": featureLevel,
        "form-field-encoding": formFieldEncoding,
        "named-schemas": namedSchemas,
        "operation-key-order": operationKeyOrder,
        "refers-to": refersTo,
        "relies-on": reliesOn,
        "rule-ids": ruleIds,
        "shown-by": shownBy,
        "states-catalogue": statesCatalogue,
      },
    },
  };
}
