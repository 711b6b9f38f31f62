import type { ErrorObject } from "ajv";
import { describeProblem } from "../schema/describe-error.js";
import { nearestNames } from "./nearest-names.js";
import { didYouMean, type Path, pathOf } from "./yaml-source.js";

/** Turns the Ajv errors about a hand-written file into sentences with paths. Requires Ajv's `verbose` option. */
export function schemaProblems(errors: readonly ErrorObject[]): { path: Path; text: string }[] {
  return errors
    .filter((error) => error.keyword !== "if" && error.keyword !== "propertyNames" && !isMisspelt(error, errors))
    .map((error) => {
      const path = pathOf(error);
      const place = path.map(String).join(".");
      return { path: [...path, ...keyOf(error)], text: `${place === "" ? "the file" : place} ${sentence(error)}` };
    });
}

/** Whether a key is missing because it is misspelt, which another error says. */
function isMisspelt({ keyword, params, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean {
  return (
    keyword === "required" &&
    errors.some(
      (other) =>
        other.keyword === "additionalProperties" &&
        other.instancePath === instancePath &&
        nearestNames(String(other.params.additionalProperty), [String(params.missingProperty)]).length > 0,
    )
  );
}

/** The key that an error concerns, if any. */
function keyOf({ keyword, params }: ErrorObject): string[] {
  return keyword === "additionalProperties" ? [String(params.additionalProperty)] : [];
}

function sentence(error: ErrorObject): string {
  const { keyword, params, parentSchema, propertyName, data } = error;
  if (propertyName !== undefined && parentSchema?.examples !== undefined) {
    return `names \`${propertyName}\`, which does not match ${params.pattern}${exampleOf(parentSchema)}`;
  }
  if (propertyName !== undefined) {
    return `names \`${propertyName}\`, which is not in kebab-case: use lower-case letters, digits and hyphens`;
  }
  switch (keyword) {
    case "additionalProperties": {
      const unknown = String(params.additionalProperty);
      return `has an unknown key \`${unknown}\`: ${didYouMean(unknown, Object.keys(parentSchema?.properties ?? {}))}`;
    }
    case "required": {
      const missing = String(params.missingProperty);
      return `needs the key \`${missing}\`${exampleOf(parentSchema?.properties?.[missing], missing)}`;
    }
    case "pattern":
      return `is ${JSON.stringify(data)}, which does not match ${params.pattern}${exampleOf(parentSchema)}`;
    default:
      return `${describeProblem(error)}${exampleOf(parentSchema)}`;
  }
}

/** Says what to write instead, if the schema has an example. */
function exampleOf(schema: unknown, key?: string): string {
  const { examples: [example] = [] } = Object(schema) as { readonly examples?: readonly unknown[] };
  if (example === undefined) return "";
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return `: write for example \`${key === undefined ? "" : `${key}: `}${text}\``;
}
