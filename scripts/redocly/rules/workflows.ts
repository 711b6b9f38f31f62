import { createStateCatalogue } from "../../states/catalogue.js";
import { readContractNames } from "../contract-names.js";
import type { Visitor, VisitorContext } from "../visitor.js";

interface Workflow {
  readonly workflowId: string;
  readonly "x-rules"?: readonly string[];
  readonly steps: readonly Step[];
}

interface Step {
  readonly stepId: string;
  readonly "x-rules"?: readonly string[];
  readonly operationId?: string;
  readonly requestBody?: { readonly payload?: unknown };
}

/** A workflow names rules that exist, its steps some of these, calls operations that exist, and sets up states of the catalogue. */
export function workflows(): Visitor {
  return {
    Workflow(workflow: Workflow, { location, report }: VisitorContext) {
      const file = location.source.absoluteRef;
      const { rules, operationIds } = readContractNames(file);
      const ids = workflow["x-rules"] ?? [];
      if (ids.length === 0)
        report({
          message: `Workflow \`${workflow.workflowId}\` needs \`x-rules\`: the rules that it shows.`,
          location: location.key(),
        });
      for (const [index, id] of ids.entries()) {
        if (!rules.has(id)) {
          report({
            message: `There is no rule \`${id}\`: add it to the contract, or name one that exists.`,
            location: location.child(["x-rules", index]),
          });
        }
      }
      for (const [index, step] of (workflow.steps ?? []).entries()) {
        const place = location.child(["steps", index]);
        for (const [position, id] of (step["x-rules"] ?? []).entries()) {
          if (ids.includes(id)) continue;
          report({
            message: `Step \`${step.stepId}\` names \`${id}\`, which is none of the rules of its workflow: add it to those, or take it away.`,
            location: place.child(["x-rules", position]),
          });
        }
        const [, source, operationId = ""] = /^\$sourceDescriptions\.(\w+)\.(\w+)$/.exec(step.operationId ?? "") ?? [];
        if (source === "chat" && !operationIds.has(operationId)) {
          report({
            message: `The contract has no operation \`${operationId}\`.`,
            location: place.child(["operationId"]),
          });
        }
        if (source === "states") {
          for (const message of createStateCatalogue(file).setupProblems(step.requestBody?.payload)) {
            report({ message, location: place.child(["requestBody", "payload"]) });
          }
        }
      }
    },
  };
}
