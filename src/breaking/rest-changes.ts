import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runRedocly } from "../base/run-redocly.js";
import { pointerKeys } from "../contract/json-pointer.js";
import { formatContract } from "../contract/rest/contract-file.js";
import type { ContractDocument, Method } from "../contract/rest/document.js";
import { mapNodes } from "../contract/rest/map-nodes.js";
import { type Changes, greater, type Impact, mergeChanges } from "./impact.js";
import { plainForm } from "./plain-form.js";
import { createJudge } from "./reclassify.js";
import { ruleChanges } from "./rule-changes.js";

interface DiffReport {
  readonly changes: readonly {
    path: string;
    impact: Impact;
    property?: string;
    verdicts: readonly { message: string }[];
  }[];
}

/** Finds the changes of rules. */
type CompareRules = (base: ContractDocument, revision: ContractDocument) => Changes;

/** Compares two bundled documents by `redocly diff`, and their rules. */
export async function restChanges(
  base: ContractDocument,
  revision: ContractDocument,
  compareRules: CompareRules = ruleChanges,
): Promise<Changes> {
  const folder = await mkdtemp(join(tmpdir(), "accord-diff-"));
  try {
    const [baseFile, revisionFile] = [join(folder, "base.yaml"), join(folder, "revision.yaml")];
    const config = join(folder, "redocly.yaml");
    await writeFile(config, "extends: [diff-recommended]\n");
    const [before, after] = [base, revision].map((one) => plainForm(withoutDerivedChecks(one))) as [
      ContractDocument,
      ContractDocument,
    ];
    await writeFile(baseFile, formatContract(before, "yaml"));
    await writeFile(revisionFile, formatContract(after, "yaml"));
    const run = await runRedocly(
      "diff",
      baseFile,
      revisionFile,
      "--config",
      config,
      "--format",
      "json",
      "--fail-on",
      "none",
    );
    if (!run.stdout.startsWith("{")) throw new Error(`redocly diff failed:\n${run.stderr}`);
    const report: DiffReport = JSON.parse(run.stdout);
    const judge = createJudge(before, after);
    const changes = report.changes.map((change) => ({ ...change, impact: judge(change) }));
    const impact = changes.reduce<Impact>((max, one) => greater(max, one.impact), "none");
    const affected = changes.flatMap(({ path }) => operationOf(path, revision) ?? operationOf(path, base) ?? []);
    const diff = {
      impact,
      affected,
      // `compareRules` says more about rules.
      reasons: changes.filter((one) => one.impact === impact && !pointerKeys(one.path).includes("x-rules")).map(reason),
    } as const;
    return mergeChanges(diff, compareRules(withoutDerivedChecks(base), withoutDerivedChecks(revision)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Copies a contract without the keys that only `accord verify` reads, and without form encodings that are then empty.
 */
function withoutDerivedChecks(document: ContractDocument): ContractDocument {
  return mapNodes(document, ({ "shown-by": _, "x-refers-to": __, encoding, ...node }) => {
    const fields = Object.entries(encoding ?? {}).filter(([, field]) => Object.keys(Object(field)).length > 0);
    return fields.length === 0 ? node : { ...node, encoding: Object.fromEntries(fields) };
  }) as ContractDocument;
}

function reason({ path, impact, property, verdicts }: DiffReport["changes"][number]): string {
  const place = pointerKeys(path).join("/");
  return `${impact}: ${place}: ${verdicts.map(({ message }) => message).join(" ") || `${property ?? "it"} changed`}`;
}

/** The operationId behind a pointer such as `#/paths/~1users~1me/delete/summary`. */
function operationOf(pointer: string, document: ContractDocument): string | undefined {
  const [paths, path = "", method = ""] = pointerKeys(pointer);
  return paths === "paths" ? document.paths[path]?.[method as Method]?.operationId : undefined;
}
