import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pointerKeys } from "../../src/contract/json-pointer.js";
import { formatContract } from "../../src/contract/rest/contract-file.js";
import type { ContractDocument, Method } from "../../src/contract/rest/document.js";
import { mapNodes } from "../../src/contract/rest/profiles/map-nodes.js";
import { runRedocly } from "../redocly/run-redocly.js";
import { type Changes, greater, type Impact } from "./impact.js";
import { tableChanges } from "./table-changes.js";

const config = fileURLToPath(new URL("redocly.yaml", import.meta.url));

interface DiffReport {
  readonly bump: Impact;
  readonly changes: readonly {
    path: string;
    impact: Impact;
    property?: string;
    verdicts: readonly { message: string }[];
  }[];
}

/** Compares a released bundle of the REST contract with a newer one, using `redocly diff` and our own operation table. */
export async function chatChanges(base: ContractDocument, revision: ContractDocument): Promise<Changes> {
  const folder = await mkdtemp(join(tmpdir(), "accord-diff-"));
  try {
    const [baseFile, revisionFile] = [join(folder, "base.yaml"), join(folder, "revision.yaml")];
    await writeFile(baseFile, formatContract(withoutDerivedChecks(base), "yaml"));
    await writeFile(revisionFile, formatContract(withoutDerivedChecks(revision), "yaml"));
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
    const affected = report.changes.flatMap(({ path }) => operationOf(path, revision) ?? operationOf(path, base) ?? []);
    const own = tableChanges(withoutDerivedChecks(base), withoutDerivedChecks(revision));
    return {
      impact: greater(own.impact, report.changes.length === 0 ? "none" : report.bump),
      affected: [...new Set([...affected, ...own.affected])].sort(),
      reasons: [...report.changes.filter(({ impact }) => impact === report.bump).map(reason), ...own.reasons],
    };
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
