import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Conventions } from "../../src/contract/rest/conventions.js";

/** Reads what `accord.yaml` says about a contract of this repository, besides where it is. */
export function readConventions(name: string): Conventions {
  const { contracts } = parse(readFileSync(new URL("../../accord.yaml", import.meta.url), "utf8")) as {
    readonly contracts: Readonly<Record<string, Conventions & { readonly openapi: string }>>;
  };
  const { openapi: _, ...conventions } = contracts[name] ?? { openapi: "" };
  return conventions;
}
