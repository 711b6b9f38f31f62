import { dirname, join } from "node:path";
import { isTaken, requireNoLink, writeOwn } from "../../base/write-own.js";
import { loadRestDocument } from "../../contract/project/load-rest-document.js";
import type { RestProjectContract } from "../../contract/project/project.js";
import { createStateCatalogue } from "../../contract/rest/states/catalogue.js";
import { shownPath } from "../../contract/shown-path.js";
import { derivedFiles, deriveFrom, withDerivedRules } from "./add-derived.js";

/** The workflows that follow from the document of a contract, as files of `behaviour/` by their names. */
export async function workflowFiles(contract: RestProjectContract): Promise<ReadonlyMap<string, string>> {
  const document = await loadRestDocument(contract);
  const catalogue = createStateCatalogue(contract.openapi);
  const derived = deriveFrom(document, { hasStates: catalogue.names.length > 0 });
  return derivedFiles(withDerivedRules(document, derived), catalogue, derived);
}

/** Writes the workflows that follow from a document into `behaviour/` beside it. Overwrites no file. */
export async function writeWorkflows(
  contract: RestProjectContract,
): Promise<{ readonly written: readonly string[]; readonly kept: readonly string[] }> {
  const folder = join(dirname(contract.openapi), "behaviour");
  const files = [...(await workflowFiles(contract))].map(([name, text]) => [join(folder, name), text] as const);
  const kept = files.filter(([path]) => isTaken(path));
  const written = files.filter(([path]) => !isTaken(path));
  for (const [path] of written) requireNoLink(process.cwd(), path);
  for (const [path, text] of written) writeOwn(process.cwd(), path, text);
  return { written: written.map(([path]) => shownPath(path)), kept: kept.map(([path]) => shownPath(path)) };
}
