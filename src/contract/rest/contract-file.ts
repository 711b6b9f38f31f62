import { prettyJson } from "../../text/visible-text.js";
import { yamlText } from "../../text/yaml-text.js";
import { withExactIntegers } from "./reading/exact-integers.js";

/** The output format of a contract. */
export type ContractFormat = "yaml" | "json";

/** Formats a document as text that ends with a newline. The output is deterministic, and safe to show. */
export function formatContract(given: object, format: ContractFormat): string {
  // What `accord.yaml` says is no part of the document.
  const document = Object.fromEntries(Object.entries(given).filter(([key]) => key !== "x-accord"));
  switch (format) {
    case "json":
      return withExactIntegers(`${prettyJson(document)}\n`);
    case "yaml":
      return withExactIntegers(yamlText(document));
  }
}
