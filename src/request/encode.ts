import { createEncode, type Encode, type RequestValues } from "./create-encode.js";
import { inputsOf, type Operation } from "./operation.js";
import { isWritable, writeStyled } from "./style.js";

/** Encodes the parameters of a request. Throws a `TypeError` also if OpenAPI leaves open how a value is written. */
export const encode: Encode = (operation, values) => {
  const open = findUnwritable(operation, values);
  if (open !== undefined) throw new TypeError(`OpenAPI leaves open how ${open} is written: it holds lists or objects`);
  return encodeStrictly(operation, values);
};

const encodeStrictly = createEncode(writeStyled);

/** Encodes the parameters of a request, whatever they are. */
export const encodeLeniently: Encode = createEncode(writeStyled, true);

/** The name of a parameter whose value has lists or objects in it, although OpenAPI leaves open how its style writes these. */
export function findUnwritable(operation: Operation, values: RequestValues): string | undefined {
  return inputsOf(operation).find(({ name, style }) => style !== undefined && !isWritable(values[name]))?.name;
}
