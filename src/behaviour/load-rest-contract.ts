import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../base/usage-error.js";
import type { RestProjectContract } from "../contract/project/project.js";
import { isShipped } from "../contract/project/read-project.js";
import { withImpliedRules } from "../contract/rest/implied-rules.js";
import { loadOpenApi } from "../contract/rest/load-openapi.js";
import { newestLevelOf, type RestContract, shippedContract } from "../contract/rest/rest-contract.js";
import { addRules, rulesFileName } from "../contract/rest/rules-file.js";
import { createStateCatalogue } from "../contract/rest/states/catalogue.js";
import type { StatesCatalogue } from "../contract/rest/states.js";
import { shownPath } from "../contract/shown-path.js";
import { readYamlSource } from "../contract/yaml-source.js";
import { deriveFrom, expandDerived, withDerivedRules } from "./derived/add-derived.js";
import { expandWorkflows } from "./expand-workflows.js";
import { readWorkflowFiles } from "./read-workflow-files.js";
import { rulesOf } from "./workflow-source.js";

const noStates: StatesCatalogue = { "x-states": {} };

/** What to load besides what lies beside the document. */
export interface LoadOptions {
  /** Whether its workflows include those that follow from the document. Defaults to false. */
  readonly isDerived?: boolean;
  /** Values of parameters that a server has, beside those of `accord.yaml`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Loads a contract of a project: its document, and the rules, states, workflows and checks beside it. Every operation has the implied rules,
 * and plain examples are cases. One that this package ships is compiled already. Rejects with a `UsageError` that names all mistakes with their places.
 */
export async function loadRestContract(
  project: RestProjectContract,
  { isDerived = false, values = {} }: LoadOptions = {},
): Promise<RestContract> {
  const { name, openapi, exclude } = project;
  const conventions = { ...project.conventions, values: { ...project.conventions.values, ...values } };
  if (isShipped(project)) return shippedContract(name);
  const folder = dirname(openapi);
  const loaded = { ...(await loadOpenApi(openapi)), "x-accord": conventions };
  const rules = join(folder, rulesFileName);
  const { document: ruled, problems } = existsSync(rules)
    ? addRules(loaded, rules)
    : { document: loaded, problems: [] };
  const catalogue = createStateCatalogue(openapi);
  const implied = withImpliedRules(ruled);
  const behaviour = join(folder, "behaviour");
  const isNeeded = isDerived || existsSync(behaviour);
  const derived = isNeeded ? deriveFrom(implied, { hasStates: catalogue.names.length > 0 }) : [];
  // Workflows that somebody took over still show the rules that they were derived for.
  const named = isDerived ? undefined : namedRules(behaviour);
  const document = withDerivedRules(implied, derived, (id) => named?.has(id) ?? true);
  const states = readStates(join(folder, "states.yaml"));
  const { workflows, problems: ofWorkflows } = existsSync(behaviour)
    ? expandWorkflows(document, behaviour)
    : { workflows: [], problems: [] };
  if (problems.length + ofWorkflows.length > 0) throw new UsageError([...problems, ...ofWorkflows].join("\n"));
  const written = new Set(workflows.map(({ id }) => id));
  const others = isDerived ? expandDerived(document, catalogue, derived).filter(({ id }) => !written.has(id)) : [];
  const checks = join(folder, "checks");
  return {
    name,
    document,
    workflows: [...workflows, ...others],
    states,
    ...(existsSync(checks) ? { checks: pathToFileURL(`${checks}/`) } : {}),
    newestLevel: conventions.level === undefined ? 0 : newestLevelOf(document),
    hasExamples: true,
    exclude,
  };
}

/** The rules that the workflows of a folder name. */
function namedRules(folder: string): ReadonlySet<string> {
  const { files } = readWorkflowFiles(folder);
  return new Set(files.flatMap((file) => Object.values(file.workflows).flatMap(rulesOf)));
}

function readStates(file: string): StatesCatalogue {
  if (!existsSync(file)) return noStates;
  const { content, problems } = readYamlSource(file, shownPath(file));
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  return { ...noStates, ...(content as StatesCatalogue | null) };
}
