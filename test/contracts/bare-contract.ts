import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import type { RestContract } from "../../src/contract/rest/rest-contract.js";

/** What people add to a document so that more can be checked. */
const added: ReadonlySet<string> = new Set(["x-rules", "x-case", "example", "examples"]);

/** Loads a document of a folder beside this file without its rules, states, workflows and examples. */
export async function loadBare(name: string, isDerived: boolean): Promise<RestContract> {
  const file = fileURLToPath(new URL(`${name}/openapi.yaml`, import.meta.url));
  return loadDocument(name, bare(parse(readFileSync(file, "utf8"))), isDerived);
}

/** Loads a document. */
export async function loadDocument(name: string, document: unknown, isDerived: boolean): Promise<RestContract> {
  const folder = mkdtempSync(join(tmpdir(), "accord-bare-"));
  try {
    const openapi = join(folder, "openapi.json");
    writeFileSync(openapi, JSON.stringify(document));
    return await loadRestContract({ kind: "rest", name, openapi, conventions: {} }, { isDerived });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function bare(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (added.has(key) ? [] : [[key, bare(value)]])),
  );
}
