import { collectCases } from "./collect-cases.js";
import { caseKnownNames } from "./rules/case-known-names.js";
import { casePerErrorCode } from "./rules/case-per-error-code.js";
import { clientRules } from "./rules/client-rules.js";
import { described } from "./rules/described.js";
import { featureLevel } from "./rules/feature-level.js";
import { refersTo } from "./rules/refers-to.js";
import { reliesOn } from "./rules/relies-on.js";
import { ruleIds } from "./rules/rule-ids.js";
import { shownBy } from "./rules/shown-by.js";
import { statesCatalogue } from "./rules/states-catalogue.js";
import { unsupported } from "./rules/unsupported.js";
import type { Visitor } from "./visitor.js";

/** A plugin of Redocly. */
export interface Plugin {
  readonly id: string;
  readonly preprocessors: { readonly oas3: Readonly<Record<string, (options: object) => Visitor>> };
  readonly rules: { readonly oas3: Readonly<Record<string, () => Visitor>> };
}

/** Rules that a project adds, by name. */
export type HouseRules = Plugin["rules"]["oas3"];

/** Creates the Redocly plugin: the rules for contracts, those of a project, and the preprocessor that adds cases from their files. */
export function accordPlugin(house: HouseRules = {}): Plugin {
  return {
    id: "accord",
    preprocessors: { oas3: { "collect-cases": collectCases } },
    rules: {
      oas3: {
        "case-known-names": caseKnownNames,
        "case-per-error-code": casePerErrorCode,
        "client-rules": clientRules,
        described,
        "feature-level": featureLevel,
        "refers-to": refersTo,
        "relies-on": reliesOn,
        "rule-ids": ruleIds,
        "shown-by": shownBy,
        "states-catalogue": statesCatalogue,
        unsupported,
        ...house,
      },
    },
  };
}
