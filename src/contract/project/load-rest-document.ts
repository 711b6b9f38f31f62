import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../base/usage-error.js";
import type { ContractDocument } from "../rest/document.js";
import { loadOpenApi } from "../rest/load-openapi.js";
import { shippedDocument } from "../rest/rest-contract.js";
import { addRules, rulesFileName } from "../rest/rules-file.js";
import type { RestProjectContract } from "./project.js";
import { isShipped } from "./read-project.js";

/**
 * Loads the document of a contract, with the rules beside it and what `accord.yaml` says. That of a contract which this package ships is
 * generated. Rejects with a `UsageError` that names mistakes with file and line, and like `loadOpenApi`.
 */
export async function loadRestDocument(project: RestProjectContract): Promise<ContractDocument> {
  const { name, openapi, conventions } = project;
  if (isShipped(project)) return shippedDocument(name);
  const document = { ...(await loadOpenApi(openapi)), "x-accord": conventions };
  const rules = join(dirname(openapi), rulesFileName);
  if (!existsSync(rules)) return document;
  const added = addRules(document, rules);
  if (added.problems.length > 0) throw new UsageError(added.problems.join("\n"));
  return added.document;
}
