import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runRedocly } from "../base/run-redocly.js";
import { pointerKeys, valueAt } from "../contract/json-pointer.js";
import { formatContract } from "../contract/rest/contract-file.js";
import type { ContractDocument, Method } from "../contract/rest/document.js";
import { mapNodes } from "../contract/rest/map-nodes.js";
import { shownPath } from "../contract/shown-path.js";
import { type Changes, greater, type Impact, mergeChanges } from "./impact.js";
import { plainForm } from "./plain-form.js";
import { createJudge, type Reclassification } from "./reclassify.js";
import { ruleChanges } from "./rule-changes.js";

interface DiffReport {
  readonly changes: readonly {
    path: string;
    impact: Impact;
    property?: string;
    verdicts: readonly { message: string; ruleId?: string }[];
  }[];
}

/** Finds the changes of rules. */
type CompareRules = (base: ContractDocument, revision: ContractDocument) => Changes;

/** A change, with its judgement. */
export type JudgedChange = DiffReport["changes"][number] & Reclassification;

/** Compares two bundled documents by `redocly diff`, and their rules. `file` is that of the revision, in which changes have their lines. */
export async function restChanges(
  base: ContractDocument,
  revision: ContractDocument,
  compareRules: CompareRules = ruleChanges,
  file?: string,
): Promise<Changes> {
  const changes = await listChanges(base, revision);
  const lineOf = file === undefined ? () => undefined : await createLineFinder(file);
  const impact = changes.reduce<Impact>((max, one) => greater(max, one.impact), "none");
  const affected = changes.flatMap(({ path }) => operationOf(path, revision) ?? operationOf(path, base) ?? []);
  const diff = {
    impact,
    affected,
    // `compareRules` says more about rules.
    reasons: changes
      .filter((one) => one.impact === impact && !pointerKeys(one.path).includes("x-rules"))
      .map((one) => reason(one, lineOf(one.path))),
  } as const;
  return mergeChanges(diff, compareRules(withoutDerivedChecks(base), withoutDerivedChecks(revision)));
}

/** Lists how two bundled documents differ, by `redocly diff`, with the judgement on each change. */
export async function listChanges(
  base: ContractDocument,
  revision: ContractDocument,
): Promise<readonly JudgedChange[]> {
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
    return report.changes.map((change) => ({ ...change, ...judge(change) }));
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

/** The stable name of what decided about a change. */
export function idOf({ verdicts, rule, impact }: JudgedChange): string {
  const decisive = rule ?? verdicts.find(({ ruleId }) => ruleId !== undefined)?.ruleId;
  return decisive ?? (impact === "minor" ? "addition" : "annotation");
}

function reason(change: JudgedChange, place: string | undefined): string {
  const { path, impact, property, verdicts } = change;
  const what = verdicts.map(({ message }) => message).join(" ") || `${property ?? "it"} changed`;
  const id = idOf(change);
  return `${impact}: ${place === undefined ? "" : `${place}: `}${pointerKeys(path).join("/")}: ${what} (${id})`;
}

/** Returns where a file has what a JSON pointer leads to, or the closest part around it, as `file:line`. */
async function createLineFinder(file: string): Promise<(pointer: string) => string | undefined> {
  const { getLineColLocation, parseYaml, Source } = await import("@redocly/openapi-core");
  const source = new Source(file, await readFile(file, "utf8"));
  const parsed: unknown = parseYaml(source.body);
  return (pointer) => {
    const keys = pointerKeys(pointer);
    while (keys.length > 0 && valueAt(parsed, pointerOf(keys)) === undefined) keys.pop();
    if (keys.length === 0) return undefined;
    const { line } = getLineColLocation({ source, pointer: `#${pointerOf(keys)}`, reportOnKey: true }).start;
    return `${shownPath(file)}:${line}`;
  };
}

function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The operationId behind a pointer such as `#/paths/~1users~1me/delete/summary`. */
function operationOf(pointer: string, document: ContractDocument): string | undefined {
  const [paths, path = "", method = ""] = pointerKeys(pointer);
  return paths === "paths" ? document.paths[path]?.[method as Method]?.operationId : undefined;
}
