import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { captureOutput } from "../../scripts/capture-output.js";
import { loadContract } from "../../src/chat/contract.js";
import { atFeatureLevel } from "../../src/contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../../src/contract/rest/level/cases-at-level.js";
import { dreddProfile } from "../../src/contract/rest/profiles/dredd-profile.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A run of Dredd in a folder of its own, in which the package is installed. */
export interface DreddRun {
  /** The chat server and its provider states. */
  readonly url: string;
  /** Defaults to true. */
  readonly hasStates?: boolean;
  /** The text of `chat.dredd.yaml`. */
  readonly document: string;
}

/** The result of a run of Dredd. */
export interface DreddResult {
  readonly output: string;
  /** The cases by outcome, as `<operationId>/<name>`. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** With the reason. */
  readonly skipped: readonly string[];
}

/** Runs Dredd with the `dredd.yml` of the package, as docs/tools.md says. */
export async function runStockDredd({ url, hasStates = true, document }: DreddRun): Promise<DreddResult> {
  const folder = mkdtempSync(join(tmpdir(), "accord-dredd-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/accord-contracts"));
    const settings = readFileSync(join(folder, "node_modules/accord-contracts/examples/dredd.yml"), "utf8")
      .replaceAll("http://127.0.0.1:4011", url)
      .replace(hasStates ? "" : /^ *states:.*$/m, "");
    writeFileSync(join(folder, "dredd.yml"), settings);
    writeFileSync(join(folder, "chat.dredd.yaml"), document);
    const output = await captureOutput([join(root, "node_modules/dredd/bin/dredd"), "--no-color"], folder);
    if (!/^complete: /m.test(output)) throw new Error(`Dredd did not complete: ${output}`);
    const find = (pattern: RegExp) => [...new Set([...output.matchAll(pattern)].map(([, found = ""]) => found))].sort();
    return {
      output,
      passed: find(/^pass: (\w+\/\w+): /gm),
      failed: find(/^(?:fail|error): (\w+\/\w+): /gm),
      skipped: find(/^skip: (.*)$/gm),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the document for Dredd with only some cases, given as `<operationId>/<name>`: Dredd reads the whole one slowly. */
export async function documentOf(isChosen: (key: string, index: number) => boolean, level = newestLevel) {
  const contract = await loadContract();
  const cases = casesAtLevel(contract, level).filter(({ operationId, name }, index) =>
    isChosen(`${operationId}/${name}`, index),
  );
  return JSON.stringify(dreddProfile(atFeatureLevel(contract, level), cases, level));
}
