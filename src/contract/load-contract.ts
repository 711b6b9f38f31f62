import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { ContractDocument } from "./document.js";

/** The bundled REST contract of this package, `generated/chat/openapi.yaml`. */
export async function loadContract(): Promise<ContractDocument> {
  return parse(await readFile(new URL("../../generated/chat/openapi.yaml", import.meta.url), "utf8"));
}
