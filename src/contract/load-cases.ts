import { readFile } from "node:fs/promises";
import type { Case } from "./cases.js";

/** The cases of the REST contract of this package: what `listCases` gives, ready-made, since reading the whole contract takes longer. */
export async function loadCases(): Promise<Case[]> {
  return JSON.parse(await readFile(new URL("../../generated/chat/cases.json", import.meta.url), "utf8"));
}
