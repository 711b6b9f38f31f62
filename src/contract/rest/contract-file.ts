import { stringify } from "yaml";

/** The output format of a contract. */
export type ContractFormat = "yaml" | "json";

/** Formats a document as text that ends with a newline. The output is deterministic. */
export function formatContract(given: object, format: ContractFormat): string {
  // What `accord.yaml` says is no part of the document.
  const document = Object.fromEntries(Object.entries(given).filter(([key]) => key !== "x-accord"));
  switch (format) {
    case "json":
      return `${JSON.stringify(document, null, 2)}\n`;
    case "yaml":
      return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  }
}
