import { cleanName } from "./clean-name.js";
import { percentDecode } from "./percent-decode.js";

/** Reads the name of a node from the fragment of its link. */
export function readName(fragment: string): string {
  return cleanName(percentDecode(fragment));
}
