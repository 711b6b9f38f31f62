import { maxSampleValues, sampleSize } from "../../schema/sample-size.js";
import { warnOnce } from "../../text/warn-once.js";
import { valueAt } from "../json-pointer.js";
import type { ContractDocument } from "./document.js";

/** Whether a value of a schema takes more than is made up, which a warning then says. `where` names what has the schema. */
export function isTooLargeToSample(document: ContractDocument, schema: unknown, where: string): boolean {
  const isTooLarge = sampleSize(schema, (ref) => valueAt(document, ref)) > maxSampleValues;
  if (isTooLarge)
    warnOnce(
      `${where}: a value takes more than ${maxSampleValues.toLocaleString("en-US")} steps to make, so none is made up`,
    );
  return isTooLarge;
}
