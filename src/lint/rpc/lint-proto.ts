import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../base/is-object.js";
import { BufError, runBuf, withoutPackages } from "../../base/run-buf.js";
import { shownPath } from "../../contract/shown-path.js";
import type { LintFinding, Tier } from "../finding.js";
import { findStreamingRpcs, readImage } from "./image.js";

/**
 * Lints a folder of `.proto` files or a descriptor set. `minimal` reports what does not compile, and RPCs that Accord cannot call; `strict`
 * adds `buf lint` with the settings of `buf.yaml`, or its defaults without one. `runsCode` says whether its plugins run.
 */
export async function lintProto(
  proto: string,
  { tier, runsCode }: { readonly tier: Tier; readonly runsCode: boolean },
): Promise<LintFinding[]> {
  const input = shownPath(bufInput(proto));
  try {
    const streaming = findStreamingRpcs(await readImage(input), proto);
    const found = tier === "strict" ? await lintFindings(input, runsCode) : [];
    return [...found, ...streaming];
  } catch (error) {
    if (error instanceof BufError) return readFindings(error);
    throw error;
  }
}

/** What buf reads: the nearest folder with a `buf.yaml`, which says where the modules are, or the folder itself. */
export function bufInput(proto: string): string {
  if (statSync(proto).isFile()) return proto;
  for (let folder = proto; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "buf.yaml"))) return folder;
    if (existsSync(join(folder, "package.json")) || existsSync(join(folder, ".git")) || folder === dirname(folder))
      return proto;
  }
}

async function lintFindings(input: string, runsCode: boolean): Promise<LintFinding[]> {
  const config = runsCode ? [] : withoutPlugins(input);
  try {
    await runBuf(".", "lint", input, ...config, ...withoutPackages(input), "--error-format", "json");
    return [];
  } catch (error) {
    if (error instanceof BufError) return readFindings(error);
    throw error;
  }
}

/** Options for buf to use the settings of a folder or file without its plugins, which are programs, and with these instead of its own. */
export function withoutPlugins(input: string, own: object = {}): string[] {
  const file = join(input, "buf.yaml");
  const given: unknown = existsSync(file) ? parse(readFileSync(file, "utf8")) : undefined;
  const { plugins: _, policies: __, ...settings } = isObject(given) ? given : { version: "v2" };
  return ["--config", JSON.stringify({ ...settings, ...own })];
}

interface BufFinding {
  readonly path?: string;
  readonly start_line?: number;
  readonly start_column?: number;
  readonly type: string;
  readonly message: string;
}

/** Reads the findings of a run with `--error-format json`. Throws the error if it has none. */
export function readFindings(error: BufError): LintFinding[] {
  const lines = error.output.split("\n").filter((line) => line.startsWith("{"));
  if (lines.length === 0) throw error;
  return lines.map((line): LintFinding => {
    const { path, start_line, start_column, type, message }: BufFinding = JSON.parse(line);
    return {
      severity: "error",
      file: path,
      line: start_line,
      column: start_column,
      check: type,
      text: message,
    };
  });
}
