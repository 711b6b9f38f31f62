import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The contracts of this repository. */
const contracts = ["openapi", "proto", ...["museum", "parcels", "library"].map((name) => `test/contracts/${name}`)];

/** How often a key must be used in a single contract, so that it is no rule in disguise. */
const minUses = 3;

/** The keys that a schema defines, at any depth. */
function keysOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  const { properties } = schema as { properties?: unknown };
  if (typeof properties === "object" && properties !== null) for (const key of Object.keys(properties)) found.add(key);
  for (const value of Object.values(schema)) keysOf(value, found);
  return found;
}

/** How many objects in the files of a contract have each key. */
function usesIn(contract: string): Map<string, number> {
  const uses = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) uses.set(key, (uses.get(key) ?? 0) + 1);
    Object.values(value).forEach(visit);
  };
  for (const file of readdirSync(join(root, contract), { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".yaml")) visit(parse(readFileSync(join(root, contract, file), "utf8")));
  return uses;
}

const uses = contracts.map(usesIn);

/** The keys that only one contract uses, and only once or twice. */
function lonelyKeys(schema: string): string[] {
  return [...keysOf(JSON.parse(readFileSync(join(root, schema), "utf8")))]
    .filter((key) => {
      const counts = uses.flatMap((one) => one.get(key) ?? []);
      return counts.length < 2 && (counts[0] ?? 0) < minUses;
    })
    .sort();
}

it.each([
  // How the hosts of cases respond, and what the RPC protocol itself does.
  ["proto/cases/cases.schema.json", ["elsewhere", "localized", "malformed", "unimplemented", "within"]],
  ["openapi/rules.schema.json", []],
  [
    "openapi/behaviour/workflows.schema.json",
    ["fill", "known-levels-only", "otherwise", "parallel", "rel", "segment", "within"],
  ],
  // Parts of a pattern, each of which one rule about clients needs.
  [
    "openapi/client-rule.schema.json",
    ["first", "names", "numbers", "pause", "response-headers", "sends-one", "started"],
  ],
])("%s has only keys that two contracts or three rules use, apart from a few", (schema, known) => {
  expect(lonelyKeys(schema)).toEqual(known);
});
