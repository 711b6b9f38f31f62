import { readFile } from "node:fs/promises";
import { parse, stringify } from "yaml";
import type { ContractDocument } from "./document.js";

/** Loads the bundled REST contract, `generated/chat/openapi.yaml`. */
export async function loadContract(): Promise<ContractDocument> {
  return parse(await readFile(new URL("../../../generated/chat/openapi.yaml", import.meta.url), "utf8"));
}

/** The output format of a contract. */
export type ContractFormat = "yaml" | "json";

/** Formats a document as text that ends with a newline. The output is deterministic. */
export function formatContract(document: object, format: ContractFormat): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(document, null, 2)}\n`;
    case "yaml":
      return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  }
}
