import type { OperationObject, Schema } from "../../contract/rest/document.js";

/** Lists the names of the parameters and form fields of an operation. */
export function parameterNames(
  { parameters = [], requestBody }: OperationObject,
  resolve: (schema: Schema) => Schema | undefined,
): string[] {
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(resolve(schema)?.properties ?? {}),
  );
  return [...parameters.flatMap((parameter) => ("name" in parameter ? parameter.name : [])), ...fields];
}
