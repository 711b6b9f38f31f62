import type { ErrorObject } from "ajv";
import { didYouMean, type Path, pathOf } from "../src/contract/yaml-source.js";

/** Turns the Ajv errors about a hand-written file into sentences with paths. Requires Ajv's `verbose` option. */
export function schemaProblems(errors: readonly ErrorObject[]): { path: Path; text: string }[] {
  return errors
    .filter(({ keyword }) => keyword !== "if" && keyword !== "propertyNames")
    .map((error) => {
      const path = pathOf(error);
      const place = path.map(String).join(".");
      return { path: [...path, ...keyOf(error)], text: `${place === "" ? "the file" : place} ${sentence(error)}` };
    });
}

/** The key that an error concerns, if any. */
function keyOf({ keyword, params }: ErrorObject): string[] {
  return keyword === "additionalProperties" ? [String(params.additionalProperty)] : [];
}

function sentence({ keyword, params, message = "is invalid", parentSchema, propertyName, data }: ErrorObject): string {
  if (propertyName !== undefined) {
    return `names \`${propertyName}\`, which is not in kebab-case: use lower-case letters, digits and hyphens`;
  }
  switch (keyword) {
    case "additionalProperties": {
      const unknown = String(params.additionalProperty);
      return `has an unknown key \`${unknown}\`: ${didYouMean(unknown, Object.keys(parentSchema?.properties ?? {}))}`;
    }
    case "required":
      return `needs the key \`${params.missingProperty}\``;
    case "enum":
      return `must be one of ${String(params.allowedValues).replaceAll(",", ", ")}`;
    case "pattern":
      return `is ${JSON.stringify(data)}, which does not match ${params.pattern}`;
    default:
      return message;
  }
}
