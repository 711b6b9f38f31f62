import { stringify } from "yaml";

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
