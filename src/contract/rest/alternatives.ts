import { type ContractDocument, resolve, type Schema } from "./document.js";

/** Lists a schema and the alternatives of its `anyOf` and `oneOf`, with theirs, each once: schemas may contain themselves. */
export function alternativesOf(document: ContractDocument, given: Schema): Schema[] {
  const found = new Set<Schema>();
  const add = (one: Schema) => {
    const schema = resolve<Schema>(document, one);
    if (found.has(schema)) return;
    found.add(schema);
    for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) add(inner);
  };
  add(given);
  return [...found];
}

/** Lists the alternatives of a schema that have none themselves: the schema itself if it has none. */
export function leavesOf(document: ContractDocument, given: Schema): Schema[] {
  return alternativesOf(document, given).filter(({ anyOf, oneOf }) => anyOf === undefined && oneOf === undefined);
}

/** The values that a text without JSON may stand for. */
export function scalarReadings(text: string): unknown[] {
  const readings: unknown[] = [text];
  if (/^-?\d+(\.\d+)?$/.test(text)) readings.push(Number(text));
  if (text === "true" || text === "false") readings.push(text === "true");
  return readings;
}
