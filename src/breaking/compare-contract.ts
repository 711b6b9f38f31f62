import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { UsageError } from "../base/usage-error.js";
import { type ProjectContract, projectFileName } from "../contract/project/project.js";
import { ProjectError, readProject } from "../contract/project/read-project.js";
import { loadOpenApi } from "../contract/rest/load-openapi.js";
import { addRules, rulesFileName } from "../contract/rest/rules-file.js";
import { bufInput } from "../lint/rpc/lint-proto.js";
import { checkOut, git } from "./check-out.js";
import type { Changes } from "./impact.js";
import { restChanges } from "./rest-changes.js";
import { type RpcLevel, rpcChanges } from "./rpc-changes.js";
import { ruleChanges } from "./rule-changes.js";
import { isOlder, isVersion, neededVersion } from "./version.js";

/** How a contract differs from an earlier revision of it. */
export interface Comparison extends Changes {
  /** Whether the revision lacks the contract, so that nothing is compared. */
  readonly isNew: boolean;
  /** What the version of the document must become. Undefined if it is high enough, or if the contract has no version like 1.2.3. */
  readonly neededVersion?: string;
  /** Whether the changes break users, and no new version tells them. */
  readonly isUnannounced: boolean;
}

/** All files that a document can refer to, wherever they are. */
const documentFile = /\.(?:ya?ml|json|proto|binpb)$/;

/** Compares a contract with its state at a Git revision. Throws a `UsageError` if there is no such revision. */
export async function compareContract(
  contract: ProjectContract,
  against: string,
  level?: RpcLevel,
): Promise<Comparison> {
  const path = contract.kind === "rest" ? contract.openapi : contract.proto;
  const folder = dirname(await realpath(path));
  const top = await git(folder, ["rev-parse", "--show-toplevel"]).catch(() => {
    throw new UsageError(`${folder} is not in a Git repository, so there is nothing to compare with.`);
  });
  const temporary = await mkdtemp(join(tmpdir(), "accord-breaking-"));
  try {
    const before = join(temporary, "before");
    await checkOut(top, against, before, (path) => documentFile.test(path));
    const earlier = (file: string) => join(before, relative(top, file));
    const there = earlier(await realpath(path));
    const old = existsSync(there) ? there : renamedFrom(contract, before, dirname(there));
    if (old === undefined) return { impact: "none", affected: [], reasons: [], isNew: true, isUnannounced: false };
    if (contract.kind === "rest") return await compareDocuments(old, contract.openapi);
    const input = await realpath(bufInput(contract.proto));
    // The revision may have had other modules, or no buf.yaml, which names its files otherwise.
    const changes = await rpcChanges(bufInput(old), input, level);
    return { ...changes, isNew: false, isUnannounced: changes.impact === "major" };
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Where the contract of this name was, as the `accord.yaml` of that time says, which is in the folder or above it. */
function renamedFrom({ name, kind }: ProjectContract, top: string, folder: string): string | undefined {
  for (let place = folder; place.startsWith(top); place = dirname(place)) {
    const file = join(place, projectFileName);
    if (existsSync(file)) return documentIn(file, name, kind);
  }
  return undefined;
}

function documentIn(file: string, name: string, kind: ProjectContract["kind"]): string | undefined {
  try {
    const found = readProject(file).contracts.find((one) => one.name === name && one.kind === kind);
    return found?.kind === "rest" ? found.openapi : found?.proto;
  } catch (error) {
    // It named no document either.
    if (error instanceof ProjectError) return undefined;
    throw error;
  }
}

async function compareDocuments(before: string, now: string): Promise<Comparison> {
  const [base, revision] = await Promise.all([readDocument(before), readDocument(now)]);
  const changes = await restChanges(base, revision, ruleChanges, now);
  const [from, to] = [base.info.version, revision.info.version];
  if (!isVersion(from) || !isVersion(to))
    return { ...changes, isNew: false, isUnannounced: changes.impact === "major" && from === to };
  const needed = neededVersion(from, changes.impact);
  if (!isOlder(to, needed)) return { ...changes, isNew: false, isUnannounced: false };
  return { ...changes, isNew: false, neededVersion: needed, isUnannounced: changes.impact === "major" };
}

async function readDocument(file: string) {
  const document = await loadOpenApi(file);
  const rules = join(dirname(file), rulesFileName);
  if (!existsSync(rules)) return document;
  const read = addRules(document, rules);
  if (read.problems.length > 0) throw new UsageError(read.problems.join("\n"));
  return read.document;
}
