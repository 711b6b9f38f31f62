import { CouldNotRunError } from "../../base/could-not-run-error.js";
import { type RestContract, shippedContract } from "../../contract/rest/rest-contract.js";
import type { CheckResult } from "../../report/model/check-result.js";
import type { ReportedShard } from "../../report/model/json-report.js";
import type { VerifyReport } from "../../report/model/verify-report.js";
import { abbreviateList, pluralize } from "../../text/format-values.js";
import { listRecommendations, skipReliant } from "../deviation.js";
import { discountSuccesses } from "../run/discount-successes.js";
import { joinOperations } from "../run/reported-operations.js";
import { contractAtLevel } from "./contract-at-level.js";

/** The report of one shard, and the name under which problems mention it, such as its file. */
export interface ShardReport {
  readonly name: string;
  readonly report: VerifyReport;
}

type SameInAll = Pick<
  VerifyReport,
  "contract" | "version" | "packageVersion" | "level" | "seed" | "serverVersion" | "degree" | "strict" | "minExercised"
>;

/** The facts that must be equal in all shards of a run, with the words for them. */
const common: Readonly<Record<keyof SameInAll, string>> = {
  contract: "the contract",
  version: "the version of the contract",
  packageVersion: "the version of accord-contracts",
  level: "the feature level",
  seed: "the seed (--seed)",
  serverVersion: "the version of the server",
  degree: "what the run may send (--allow-writes, --disposable)",
  strict: "--strict",
  minExercised: "--min-exercised",
};

/**
 * Joins the reports of all shards of a run into the report that one run without shards gives. Checks of different shards are judged
 * together: a check is skipped if it relies on a recommendation that another shard found broken, and the success of an operation shows
 * nothing if another shard found that it accepts any request. The latter needs `contract`, unless it is in Protobuf or this package ships it.
 *
 * Rejects with a `CouldNotRunError` that names the reports, if one is not a shard, a shard is missing or given twice, two shards ran the
 * same check, checks are missing, or the shards verified different things.
 */
export async function mergeReports(parts: readonly ShardReport[], contract?: RestContract): Promise<VerifyReport> {
  const [first] = parts;
  if (first === undefined) throw new CouldNotRunError("There is no report to merge");
  requireSame(parts, first);
  const shards = parts.map((part) => ({ ...part, shard: shardOf(part) }));
  requireComplete(shards);
  const { report } = first;
  const reports = parts.map((part) => part.report);
  const stopped = reports.some((one) => one.stopped === true);
  const checks = reports.flatMap((one) => one.checks).sort((a, b) => (a.id < b.id ? -1 : 1));
  if (!stopped) requireAllChecks(shards, checks);
  const reliant = skipReliant(
    checks,
    listRecommendations(report.rules.map((rule) => ({ ...rule, strength: rule.strength ?? "must" }))),
  );
  const { shard: _, operations, ...about } = report;
  const created = reports.flatMap((one) => one.created ?? []);
  const restricted = shards.some(({ shard }) => shard.restricted);
  return {
    ...about,
    ...(operations === undefined ? {} : { operations: joinOperations(reports.map((one) => one.operations ?? [])) }),
    ...(created.length === 0 ? {} : { created }),
    stateHelp: new Map(reports.flatMap((one) => [...(one.stateHelp ?? [])])),
    target: [...new Set(reports.map(({ target }) => target))].join(", "),
    existing: new Set(checks.map(({ id }) => id)),
    checks: await discount(reliant, report.level, contract ?? (await findShipped(report.contract))),
    knownFailing: new Map(reports.flatMap(({ knownFailing }) => [...knownFailing])),
    partial: restricted || stopped,
    stopped,
    startedAt: reports.map(({ startedAt }) => startedAt).sort()[0] ?? report.startedAt,
    durationMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
  };
}

async function discount(
  checks: readonly CheckResult[],
  level: number | undefined,
  contract: RestContract | undefined,
): Promise<readonly CheckResult[]> {
  if (contract === undefined) return checks;
  const planned = await contractAtLevel(contract, level ?? contract.newestLevel);
  return discountSuccesses(checks, new Map([...planned.checks, ...planned.probes].map((one) => [one.id, one])));
}

/** Loads the contract in OpenAPI of this name that this package ships. Undefined if there is none. */
async function findShipped(name: string): Promise<RestContract | undefined> {
  const { shippedContracts } = await import("../../contract/project/read-project.js");
  const isShipped = shippedContracts().some((one) => one.kind === "rest" && one.name === name);
  return isShipped ? shippedContract(name) : undefined;
}

function requireSame(parts: readonly ShardReport[], first: ShardReport): void {
  for (const key of Object.keys(common) as (keyof SameInAll)[]) {
    const other = parts.find(({ report }) => report[key] !== first.report[key]);
    if (other === undefined) continue;
    const [one, two] = [first, other].map(({ name, report }) => `${report[key] ?? "unknown"} in ${name}`);
    throw new CouldNotRunError(`The shards must be of one run, but ${common[key]} differs: ${one}, ${two}`);
  }
}

function shardOf({ name, report }: ShardReport): ReportedShard {
  if (report.shard === undefined) throw new CouldNotRunError(`${name} is not the report of a shard (--shard i/n)`);
  return report.shard;
}

function requireComplete(shards: readonly (ShardReport & { readonly shard: ReportedShard })[]): void {
  const [first] = shards;
  if (first === undefined) return;
  const other = shards.find(({ shard }) => shard.of !== first.shard.of || shard.checks !== first.shard.checks);
  if (other !== undefined) {
    const [one, two] = [first, other].map(
      ({ name, shard }) => `${name} is one of ${shard.of} with ${pluralize(shard.checks, "check")} together`,
    );
    throw new CouldNotRunError(`The shards must be of one run, but ${one}, and ${two}`);
  }
  const named = (index: number) => shards.filter(({ shard }) => shard.index === index).map(({ name }) => name);
  const indexes = Array.from({ length: first.shard.of }, (_, at) => at + 1);
  const repeated = indexes.find((index) => named(index).length > 1);
  if (repeated !== undefined) {
    throw new CouldNotRunError(`Shard ${repeated}/${first.shard.of} is given twice: ${named(repeated).join(", ")}`);
  }
  const missing = indexes.filter((index) => named(index).length === 0).map((index) => `${index}/${first.shard.of}`);
  if (missing.length > 0)
    throw new CouldNotRunError(`Missing: shard ${abbreviateList(missing, 5)}. Give its report, too`);
}

function requireAllChecks(
  shards: readonly (ShardReport & { readonly shard: ReportedShard })[],
  sorted: readonly CheckResult[],
): void {
  const repeated = sorted.find(({ id }, at) => sorted[at + 1]?.id === id);
  if (repeated !== undefined) {
    const names = shards.filter(({ report }) => report.checks.some(({ id }) => id === repeated.id));
    throw new CouldNotRunError(
      `${repeated.id} ran in ${names.map(({ name }) => name).join(" and ")}: give all shards the same --timings`,
    );
  }
  const planned = shards[0]?.shard.checks ?? 0;
  if (sorted.length === planned) return;
  throw new CouldNotRunError(
    `The shards ran ${sorted.length} of ${pluralize(planned, "check")}: run them without --bail, and with the same --timings`,
  );
}
