import {
  type DescExtension,
  type DescField,
  getOption,
  isMessage,
  type JsonObject,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";

/** What protovalidate says of a field, as ProtoJSON: `required`, and the rules of its type, such as `string: {minLen: "3"}`. */
export type Constraints = Readonly<Record<string, unknown>> & { readonly required?: boolean };

/** The option of fields in which protovalidate keeps its rules. */
const optionName = "buf.validate.field";

/** Returns a test for the fields that only the server sets, as `google.api.field_behavior` says. */
export function outputOnlyIn(registry: Registry): (field: DescField) => boolean {
  const option = registry.getExtension("google.api.field_behavior");
  if (option?.enum === undefined) return () => false;
  const outputOnly = option.enum.values.find(({ name }) => name === "OUTPUT_ONLY")?.number;
  return (field) => {
    const value: unknown = getOption(
      field,
      option as DescExtension & Parameters<typeof getOption<DescExtension, DescField>>[1],
    );
    return Array.isArray(value) && value.includes(outputOnly);
  };
}

/** Returns a function that reads the rules which protovalidate has for a field: none if the files do not import it. */
export function constraintsIn(registry: Registry): (field: DescField) => Constraints {
  const option = registry.getExtension(optionName);
  if (option?.message === undefined) return () => ({});
  return (field) => {
    const value: unknown = getOption(
      field,
      option as DescExtension & Parameters<typeof getOption<DescExtension, DescField>>[1],
    );
    return isMessage(value) && option.message ? (toJson(option.message, value, { registry }) as JsonObject) : {};
  };
}

/** The rules for the type of a field: its only other member that is an object. */
export function typeRules({ required: _, ...others }: Constraints): Readonly<Record<string, unknown>> {
  const found = Object.entries(others).find(([name, value]) => !["cel", "ignore"].includes(name) && isObject(value));
  return (found?.[1] ?? {}) as Readonly<Record<string, unknown>>;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
