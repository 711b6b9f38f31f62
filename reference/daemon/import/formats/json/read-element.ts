import { type Fields, isFields } from "../objects/fields.js";
import type { JsonElement } from "./read-json-lists.js";

/**
 * Reads an element of a list. Undefined when it is not JSON, or not an object.
 *
 * An object can be too long to be read because it is no proxy but lists them all. So its type is looked for, which stands at one of
 * its ends, and is all that is read of it.
 */
export function readElement({ text, isReadable }: JsonElement): Fields | undefined {
  if (!isReadable) return { type: typeAtEnds(text) };
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    // The error quotes the text.
    return undefined;
  }
}

function typeAtEnds(text: string): string | undefined {
  return (typeMember.exec(text.slice(0, lengthOfEnd)) ?? typeMember.exec(text.slice(-lengthOfEnd)))?.[1];
}

const lengthOfEnd = 1024;
const typeMember = /"type"\s{0,8}:\s{0,8}"([a-z0-9]{1,32})"/;
