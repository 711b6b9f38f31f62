import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MissingPeerError } from "../base/missing-peer-error.js";
import { UsageError } from "../base/usage-error.js";
import { expandWorkflows } from "../behaviour/expand-workflows.js";
import type { ProjectContract, RestProjectContract } from "../contract/project/project.js";
import { findVersion } from "../contract/rest/document-version.js";
import { loadOpenApi } from "../contract/rest/load-openapi.js";
import { addRules, rulesFileName } from "../contract/rest/rules-file.js";
import { loadRpcContract } from "../contract/rpc/load-rpc-contract.js";
import { shownPath } from "../contract/shown-path.js";
import { type Finding, findingOf, type Tier } from "./finding.js";

/** Lints a contract and what lies beside it. An error means that the contract cannot be used, or in the tier `strict` that it is incomplete. */
export async function lintContract(contract: ProjectContract, tier: Tier): Promise<Finding[]> {
  return (await findProblems(contract, tier)).sort(
    (a, b) =>
      (a.file ?? "").localeCompare(b.file ?? "") || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

async function findProblems(contract: ProjectContract, tier: Tier): Promise<Finding[]> {
  if (contract.kind === "rpc") {
    const { lintProto } = await import("./rpc/lint-proto.js");
    const findings = await lintProto(contract.proto, tier);
    if (hasErrors(findings)) return findings;
    return [
      ...findings,
      ...(await rejection("cases", async () => {
        await loadRpcContract(contract);
        return [];
      })),
    ];
  }
  const old = oldVersion(contract);
  if (old !== undefined) return [old];
  const { lintDocument, lintOpenApi } = await import("./rest/lint-openapi.js");
  const findings = await lintOpenApi(contract.openapi, tier);
  const states = join(dirname(contract.openapi), "states.yaml");
  if (tier === "strict" && existsSync(states) && /^openapi:/m.test(readFileSync(states, "utf8")))
    findings.push(...(await lintDocument(states)));
  if (hasErrors(findings)) return findings;
  return [...findings, ...(await readingProblems(contract))];
}

/** Names a version that cannot be read, with the line that says so. Otherwise the linter would accept it. */
function oldVersion({ openapi }: RestProjectContract): Finding | undefined {
  const found = findVersion(readFileSync(openapi, "utf8"));
  if (found === undefined || (found.key === "openapi" && /^3\.[01](?:\.|$)/.test(found.version))) return undefined;
  const [name, hint] =
    found.key === "swagger"
      ? ["Swagger", "convert it first, for instance with swagger2openapi"]
      : ["OpenAPI", "write 3.1.0"];
  return {
    severity: "error",
    file: shownPath(openapi),
    line: found.line,
    column: 1,
    check: "version",
    text: `${name} ${found.version} is not supported, only OpenAPI 3.0 and 3.1: ${hint}.`,
  };
}

/** What keeps Accord from reading a document that is valid, and what is beside it. */
function readingProblems({ openapi }: RestProjectContract): Promise<Finding[]> {
  return rejection("read", async () => {
    const document = await loadOpenApi(openapi);
    const rules = join(dirname(openapi), rulesFileName);
    const read = existsSync(rules) ? addRules(document, rules) : { document, problems: [] };
    const workflows = expandWorkflows(read.document, join(dirname(openapi), "behaviour"));
    return [
      ...read.problems.map((problem) => findingOf(problem, "rules")),
      ...workflows.problems.map((problem) => findingOf(problem, "behaviour")),
    ];
  });
}

/** Returns what work finds, or why it cannot be done, if that is a mistake of the contract. */
async function rejection(check: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof MissingPeerError) throw error;
    return error.message.split("\n").map((line) => findingOf(line, check));
  }
}

/** Whether a contract cannot be used, or in the tier `strict` is incomplete. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
