import { readFile } from "node:fs/promises";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { UsageError } from "../base/usage-error.js";
import { commandOf } from "../report/model/describe.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import { yamlText } from "../text/yaml-text.js";

/** An invalid known-failing list. Each line of the message is `<file>:<line>: <problem>`. */
export class KnownFailingError extends UsageError {
  override readonly name = "KnownFailingError";
}

/** Maximum length of a reason that is generated from a failure. */
const maxReasonLength = 200;

/** Reads a file of known-failing checks; see `parseKnownFailing`. Rejects with a `KnownFailingError`, also if the file is unreadable. */
export async function readKnownFailing(file: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new KnownFailingError(`${file}: ${error.message}`);
  });
  return parseKnownFailing(text, file);
}

/**
 * Parses a list of checks that are known to fail: YAML, a list of `{name: <id of the check>, reason: <why it fails>}`. Returns the reason
 * of each check by its id. An empty text is an empty list. Throws a `KnownFailingError` that lists every mistake with `file` and line.
 */
export function parseKnownFailing(text: string, file: string): ReadonlyMap<string, string> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: { readonly line: number; readonly message: string }[] = [];
  const problem = (offset: number, message: string) => problems.push({ line: lines.linePos(offset).line, message });
  const entries = new Map<string, { readonly reason: string; readonly line: number }>();
  for (const { code, message, pos } of document.errors) {
    problem(pos[0], code === "MULTIPLE_DOCS" ? "expected one document, but another begins here" : message);
  }
  const { contents } = document;
  const items = isSeq(contents) ? contents.items : [];
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (problems.length === 0 && !isSeq(contents) && !isEmpty)
    problem(offsetOf(contents), "expected a list, such as `- name: …`");
  for (const item of problems.length === 0 ? items : []) {
    const offset = offsetOf(item as Node | null);
    const { name, reason } = entryOf(item, (message, at = offset) => problem(at, message));
    if (name === undefined || reason === undefined) continue;
    const earlier = entries.get(name);
    if (earlier === undefined) entries.set(name, { reason, line: lines.linePos(offset).line });
    else problem(offset, `\`${name}\` is listed twice, first on line ${earlier.line}`);
  }
  if (problems.length > 0) {
    throw new KnownFailingError(problems.map(({ line, message }) => `${file}:${line}: ${message}`).join("\n"));
  }
  return new Map([...entries].map(([name, { reason }]) => [name, reason]));
}

function entryOf(
  item: unknown,
  problem: (message: string, at?: number) => void,
): { readonly name?: string; readonly reason?: string } {
  if (!isMap(item)) {
    problem("expected an entry with `name` and `reason`");
    return {};
  }
  const found: { name?: string; reason?: string } = {};
  for (const { key, value } of item.items) {
    const field = isScalar(key) ? key.value : undefined;
    const offset = offsetOf(key as Node | null);
    if (field !== "name" && field !== "reason")
      problem(`expected \`name\` or \`reason\`, not \`${String(key)}\``, offset);
    else if (!isScalar(value) || typeof value.value !== "string" || value.value.trim() === "") {
      problem(
        `expected a text as \`${field}\`${isScalar(value) && value.value !== null ? ", in quotes if need be" : ""}`,
        offset,
      );
      found[field] = "";
    } else found[field] = field === "reason" ? value.value.trim() : value.value;
  }
  if (found.name === undefined) problem("`name` is missing: the id of the check, as the report prints it");
  if (found.reason === undefined) problem("`reason` is missing: why the check is known to fail");
  const { name, reason } = found;
  return name && reason ? { name, reason } : {};
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/**
 * Formats the known-failing list after a run as YAML: every check that failed, with its known reason, or else with its first problem. A
 * check that only deviates is listed if it was before.
 * Keeps the entries of checks that did not run. Drops checks that passed and, after a complete run, names that match no check.
 */
export function formatKnownFailing(report: VerifyReport): string {
  const { checks, knownFailing, coverage } = report;
  // Traffic need not include every check that is known to fail.
  const partial = report.partial === true || coverage !== undefined;
  const ids = new Set(checks.map(({ id }) => id));
  const notRun = partial ? [...knownFailing].filter(([name]) => !ids.has(name)) : [];
  const entries = [
    ...notRun.map(([name, reason]) => ({ name, reason })),
    ...checks.flatMap(({ id, outcome }) => {
      const reason = knownFailing.get(id);
      if (outcome.kind === "failed") return [{ name: id, reason: reason ?? reasonOf(outcome.problems) }];
      return outcome.kind === "passed" || reason === undefined ? [] : [{ name: id, reason }];
    }),
  ];
  const head = `# Checks of \`${commandOf(report)}\` that are known to fail, with the reason. They still run;\n# remove a check from this list when it passes.\n`;
  return head + yamlText(entries);
}

function reasonOf([problem = ""]: readonly string[]): string {
  const line = problem.replace(/\s+/g, " ").trim();
  if (line === "") return "It fails.";
  return line.length > maxReasonLength ? `${line.slice(0, maxReasonLength - 1)}…` : line;
}
