import { dirname, join } from "node:path";
import { isTaken, requireNoLink, writeOwn } from "../base/write-own.js";
import { loadRestDocument } from "../contract/project/load-rest-document.js";
import type { ProjectContract } from "../contract/project/project.js";
import { isShipped } from "../contract/project/read-project.js";
import { withImpliedRules } from "../contract/rest/implied-rules.js";
import { createStateCatalogue } from "../contract/rest/states/catalogue.js";
import { casesFolderOf, loadRpcContract } from "../contract/rpc/load-rpc-contract.js";
import { shownPath } from "../contract/shown-path.js";
import { derivedFiles, deriveFrom, withDerivedRules } from "./derived/add-derived.js";
import { derivedCaseFiles } from "./derived-rpc/add-derived-cases.js";

/** The workflows that follow from the document of a contract, as files of its `workflowFolder` by their names. */
export async function workflowFiles(contract: ProjectContract): Promise<ReadonlyMap<string, string>> {
  if (contract.kind === "rpc") return derivedCaseFiles(await loadRpcContract(contract));
  const loaded = await loadRestDocument(contract);
  // Those of a contract of this package are written in full.
  const document = isShipped(contract) ? loaded : withImpliedRules(loaded);
  const catalogue = createStateCatalogue(contract.openapi);
  const derived = deriveFrom(document, { hasStates: catalogue.names.length > 0 });
  return derivedFiles(withDerivedRules(document, derived), catalogue, derived);
}

/** The folder of the workflows of a contract, beside its document. */
export function workflowFolder(contract: ProjectContract): string {
  return contract.kind === "rpc" ? casesFolderOf(contract.proto) : join(dirname(contract.openapi), "behaviour");
}

/** Writes the workflows that follow from a document beside it. Overwrites no file. */
export async function writeWorkflows(
  contract: ProjectContract,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const folder = workflowFolder(contract);
  const files = [...(await workflowFiles(contract))].map(([name, text]) => [join(folder, name), text] as const);
  const kept = files.filter(([path]) => isTaken(path));
  const written = files.filter(([path]) => !isTaken(path));
  for (const [path] of written) requireNoLink(process.cwd(), path);
  for (const [path, text] of written) writeOwn(process.cwd(), path, text);
  return { written: written.map(([path]) => shownPath(path)), kept: kept.map(([path]) => shownPath(path)) };
}
