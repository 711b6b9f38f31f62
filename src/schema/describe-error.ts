import type { ValidationError } from "./validator.js";

/** How many of the allowed values a message lists. */
const maxListed = 20;

/** Says what is wrong with a value, such as `must be one of a, b`, without its place. */
export function describeProblem({ keyword, params, message = "does not fit" }: ValidationError): string {
  switch (keyword) {
    case "const":
      return `${message} ${JSON.stringify(params.allowedValue)}`;
    case "enum":
      return `must be one of ${listOf(params.allowedValues)}`;
    case "additionalProperties":
      return `must NOT have the property ${JSON.stringify(params.additionalProperty)}`;
    case "unevaluatedProperties":
      return `must NOT have the property ${JSON.stringify(params.unevaluatedProperty)}`;
    case "propertyNames":
      return `must NOT have the property ${JSON.stringify(params.propertyName)}: its name is invalid`;
    default:
      return message;
  }
}

/** Describes an error of a validator as a sentence with its place: `/id: must be integer`, or `body: …` for the whole value. */
export function describeError(error: ValidationError): string {
  return `${error.instancePath === "" ? "body" : error.instancePath}: ${describeProblem(error)}`;
}

/** Lists some values, for a message. */
export function listOf(values: unknown): string {
  const all = Array.isArray(values) ? values : [values];
  const shown = all.slice(0, maxListed).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return all.length > maxListed ? `${shown.join(", ")} and ${all.length - maxListed} more` : shown.join(", ");
}
