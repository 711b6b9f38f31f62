import type { ContractDocument } from "../../../src/contract/rest/document.js";
import type { Visitor, VisitorContext } from "../../../src/lint/rest/visitor.js";

/** Kinds of probe that apply to every operation. */
const sharedKinds: readonly string[] = [
  "deactivated-account",
  "form-charset",
  "ignored-parameters",
  "no-credentials",
  "unknown-parameters",
  "wrong-credentials",
];

/** For each kind of probe that applies to every operation, a rule says what it shows. */
export function sharedProbes(): Visitor {
  return {
    Root(root: ContractDocument, { location, report }: VisitorContext) {
      const rules = root["x-rules"] ?? [];
      for (const kind of sharedKinds) {
        if (rules.some((rule) => rule["shown-by"]?.kind === kind)) continue;
        const message = `No rule has \`shown-by: {kind: ${kind}}\`: add it to the rule that these checks show.`;
        report({ message, location: location.child(["x-rules"]).key() });
      }
    },
  };
}
