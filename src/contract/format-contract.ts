import { stringify } from "yaml";

/** The text forms of a contract. */
export const contractFormats = ["yaml", "json"] as const;
export type ContractFormat = (typeof contractFormats)[number];

/** A document as text with a newline at the end. The same document always gives the same text. */
export function formatContract(document: object, format: ContractFormat): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(document, null, 2)}\n`;
    case "yaml":
      return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  }
}
