import { readFile } from "node:fs/promises";
import { parse, stringify } from "yaml";
import type { ContractDocument } from "./document.js";

/** The bundled REST contract of this package, `generated/chat/openapi.yaml`. */
export async function loadContract(): Promise<ContractDocument> {
  return parse(await readFile(new URL("../../../generated/chat/openapi.yaml", import.meta.url), "utf8"));
}

/** A text form of a contract. */
export type ContractFormat = "yaml" | "json";

/** A document as text with a newline at the end. The same document always gives the same text. */
export function formatContract(document: object, format: ContractFormat): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(document, null, 2)}\n`;
    case "yaml":
      return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  }
}
