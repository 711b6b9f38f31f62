import { excerpt, type Mask } from "../excerpt.js";
import { createMask } from "../mask.js";
import { jsonText } from "./json-text.js";

/** Masks what stands where secrets stand, when none is known. */
export const maskPlaces: Mask = createMask([]);

/** Makes what writes a value as JSON text, masked and then shortened: a server may send anything. */
export function createShow(mask: Mask): (value: unknown) => string {
  return (value) => excerpt(jsonText(value), 300, mask);
}
