import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MissingPeerError } from "../base/missing-peer-error.js";
import { UsageError } from "../base/usage-error.js";
import { loadRestContract } from "../behaviour/load-rest-contract.js";
import type { ProjectContract, RestProjectContract } from "../contract/project/project.js";
import { type ContractDocument, type NotJudged, notJudged } from "../contract/rest/document.js";
import { findVersion } from "../contract/rest/document-version.js";
import { listRules } from "../contract/rest/rules.js";
import { rulesFileName } from "../contract/rest/rules-file.js";
import { loadRpcContract } from "../contract/rpc/load-rpc-contract.js";
import { shownPath } from "../contract/shown-path.js";
import { loadCodeChecks } from "../verify/rest/load-code-checks.js";
import { type LintFinding, lintFindingOf, type Tier } from "./finding.js";
import { codeCheckProblems, uncheckedRules } from "./rest/rule-problems.js";

/** How to lint. */
export interface LintOptions {
  readonly tier: Tier;
  /** Whether to run checks in code, which are anybody's, and in the tier `strict` the plugins of `buf.yaml`. */
  readonly runsCode: boolean;
}

/** Lints a contract and what lies beside it. An error means that the contract cannot be used, or in the tier `strict` that it is incomplete. */
export async function lintContract(contract: ProjectContract, options: LintOptions): Promise<LintFinding[]> {
  return (await findProblems(contract, options)).sort(
    (a, b) =>
      (a.file ?? "").localeCompare(b.file ?? "") || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

async function findProblems(contract: ProjectContract, options: LintOptions): Promise<LintFinding[]> {
  const { tier } = options;
  if (contract.kind === "rpc") {
    const { lintProto } = await import("./rpc/lint-proto.js");
    const findings = await lintProto(contract.proto, options);
    if (hasErrors(findings)) return findings;
    return [
      ...findings,
      ...(await rejection("cases", async () => {
        await loadRpcContract(contract, { isStrict: tier === "strict" });
        return [];
      })),
    ];
  }
  const version = versionFinding(contract);
  if (version?.severity === "error") return [version];
  const { lintDocument, lintOpenApi } = await import("./rest/lint-openapi.js");
  const findings = version === undefined ? [] : [version];
  findings.push(...(await rejection("read", () => lintOpenApi(contract.openapi, tier))));
  const states = join(dirname(contract.openapi), "states.yaml");
  if (tier === "strict" && existsSync(states) && /^openapi:/m.test(readFileSync(states, "utf8")))
    findings.push(...(await lintDocument(states)));
  // What is incomplete can be read nevertheless.
  const unreadable =
    tier === "strict" && hasErrors(findings) ? await lintOpenApi(contract.openapi, "minimal") : findings;
  if (!hasErrors(unreadable)) return [...findings, ...(await readingProblems(contract, options, findings))];
  const parts = await rejection("read", async () =>
    partsNotJudged((await loadRestContract(contract)).document, findings),
  );
  return [...findings, ...parts.filter(({ severity }) => severity === "warning")];
}

/** Names a version that is not read, or not as it is, with the line that states it. */
function versionFinding({ openapi }: RestProjectContract): LintFinding | undefined {
  const found = findVersion(readFileSync(openapi, "utf8"));
  if (found === undefined) return undefined;
  const known = found.key === "swagger" ? /^2\.0$/ : /^3\.[012](?:\.|$)/;
  const about = { file: shownPath(openapi), line: found.line, column: 1, check: "version" };
  if (known.test(found.version)) {
    const text = "Swagger 2.0 is read as OpenAPI 3.0.";
    return found.key === "swagger" ? { ...about, severity: "warning", text } : undefined;
  }
  const name = found.key === "swagger" ? "Swagger" : "OpenAPI";
  const text = `${name} ${found.version} is not supported, only OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0.`;
  return { ...about, severity: "error", text };
}

/**
 * What keeps Accord from reading a document that is valid, and what is beside it, and names of rules that do not exist. In the tier `strict`
 * also the rules that nothing shows.
 */
function readingProblems(
  project: RestProjectContract,
  { tier, runsCode }: LintOptions,
  known: readonly LintFinding[],
): Promise<LintFinding[]> {
  return rejection("read", async () => {
    const contract = await loadRestContract(project);
    const checks = contract.checks === undefined || !runsCode ? [] : await loadCodeChecks(contract.checks);
    const files = contract.checks === undefined ? [] : readdirSync(contract.checks, { withFileTypes: true });
    const ofCode = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const sources = [join(dirname(project.openapi), rulesFileName), project.openapi, ...ofCode];
    const ofRules = [
      ...codeCheckProblems(checks, listRules(contract.document)),
      ...(tier === "strict" && runsCode ? uncheckedRules(contract, checks) : []),
    ];
    return [
      ...partsNotJudged(contract.document, known),
      ...ofRules.map((text): LintFinding => {
        const place = definitionOf(text.split(": ")[0] ?? "", sources);
        return { severity: "error", check: "rules", ...place, text };
      }),
    ];
  });
}

/** The parts of a document that cannot be used, but for those that the linter has named. */
function partsNotJudged(document: ContractDocument, known: readonly LintFinding[]): LintFinding[] {
  const isNamed = ({ file, line, key }: NotJudged) =>
    file !== undefined && known.some((one) => one.file === file && one.line === line && one.text.includes(key));
  return (document[notJudged] ?? [])
    .filter((part) => !isNamed(part))
    .map(({ key: _, ...part }) => ({ severity: "warning", check: "not-judged", ...part }));
}

/** Where a rule or a check in code has its id. The first of the files that exists, if none shows it. */
function definitionOf(id: string, files: readonly string[]): Pick<LintFinding, "file" | "line"> {
  const existing = files.filter((file) => existsSync(file));
  for (const file of existing) {
    const lines = readFileSync(file, "utf8").split("\n");
    const index = lines.findIndex((line) => /\bid["']?\s*:\s*(["']?)(.+?)\1\s*(?:[,}]|$)/.exec(line)?.[2] === id);
    if (index >= 0) return { file: shownPath(file), line: index + 1 };
  }
  const [first] = existing;
  return first === undefined ? {} : { file: shownPath(first) };
}

/** Returns what work finds, or why it cannot be done, if that is a mistake of the contract. */
async function rejection(check: string, work: () => Promise<LintFinding[]>): Promise<LintFinding[]> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof MissingPeerError) throw error;
    return error.message.split("\n").map((line) => lintFindingOf(line, check));
  }
}

/** Whether a contract cannot be used, or in the tier `strict` is incomplete. */
export function hasErrors(findings: readonly LintFinding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}
