import type {
  FeatureLevel,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
  Schema,
} from "../../../contract/rest/document.js";
import { featureLevelOf } from "../../../contract/rest/feature-level.js";
import { parameterSchema } from "../../../contract/rest/operations.js";
import type { Location, Visitor, VisitorContext } from "../visitor.js";

const keys = ["added", "changed", "deprecated", "removed", "note"];

/** Feature levels are well-formed, and no part is older than the whole. */
export function featureLevel(): Visitor {
  return {
    any(node: unknown, { location, report }: VisitorContext) {
      const levels = featureLevelOf(node);
      if (levels !== undefined)
        for (const message of malformed(levels)) report({ message, location: location.child(["x-feature-level"]) });
    },
    Operation(operation: OperationObject, context: VisitorContext) {
      const { location, report, resolve } = context;
      /** Reports parts that are older than the part that contains them. Skips references: a shared schema may be older. */
      const descend = (node: unknown, place: Location, parent: number) => {
        if (typeof node !== "object" || node === null) return;
        const added = featureLevelOf(node)?.added;
        if (added !== undefined && added < parent) {
          report({
            message: `Level ${added} is older than level ${parent} of the part that contains it.`,
            location: place.child(["x-feature-level"]),
          });
        }
        for (const [key, child] of Object.entries(node)) {
          if (key === "x-feature-level" || key === "$ref") continue;
          descend(child, place.child([key]), Math.max(parent, added ?? 0));
        }
      };
      const descendSchema = (schema: Schema | { $ref: string }, place: Location, parent: number) => {
        const found = resolve<Schema>(schema);
        if (found.node !== undefined) descend(found.node, found.location ?? place, parent);
      };
      const own = featureLevelOf(operation)?.added ?? 0;
      const descendContent = (content: Record<string, MediaTypeObject> = {}, place: Location) => {
        for (const [type, { schema }] of Object.entries(content))
          descendSchema(schema, place.child(["content", type, "schema"]), own);
      };
      for (const [index, given] of (operation.parameters ?? []).entries()) {
        const parameter = resolve<ParameterObject>(given);
        const place = parameter.location ?? location.child(["parameters", index]);
        if (parameter.node === undefined) continue;
        descend(parameter.node, place, own);
        descendSchema(
          parameterSchema(parameter.node),
          place.child(["schema"]),
          featureLevelOf(parameter.node)?.added ?? 0,
        );
      }
      descendContent(operation.requestBody?.content, location.child(["requestBody"]));
      for (const [status, given] of Object.entries(operation.responses)) {
        if ("$ref" in given) continue;
        descend({ ...given, content: undefined }, location.child(["responses", status]), own);
        descendContent((given as ResponseObject).content, location.child(["responses", status]));
      }
    },
  };
}

function malformed(levels: FeatureLevel): string[] {
  const problems: string[] = [];
  for (const key of Object.keys(levels)) {
    if (!keys.includes(key)) problems.push(`\`${key}\` is not a key of x-feature-level; use ${keys.join(", ")}.`);
  }
  const { added, deprecated, removed, changed = [] } = levels;
  const given = [added, ...changed.map(({ level }) => level), deprecated, removed].filter(
    (level) => level !== undefined,
  );
  if (given.length === 0) problems.push("x-feature-level needs `added`, `changed`, `deprecated` or `removed`.");
  for (const level of given) {
    if (!Number.isInteger(level) || level < 1)
      problems.push(`${JSON.stringify(level)} is not a feature level; write a whole number above 0.`);
  }
  for (const later of [deprecated, removed, ...changed.map(({ level }) => level)]) {
    if (added !== undefined && later !== undefined && later <= added)
      problems.push(`Level ${later} must be above ${added}, at which it was added.`);
  }
  if (deprecated !== undefined && removed !== undefined && removed <= deprecated)
    problems.push("`removed` must be above `deprecated`.");
  for (const change of changed) {
    if (!change.note) problems.push(`The change at level ${change.level} needs a \`note\` that says what changed.`);
  }
  return problems;
}
