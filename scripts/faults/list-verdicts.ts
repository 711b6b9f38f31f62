import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import type { CheckResult } from "../../src/report/model/check-result.js";
import { brokenRules } from "../../src/report/model/check-result.js";
import { createNameFilter } from "../../src/verify/create-selection.js";
import { runAll } from "../../src/verify/run-all.js";
import { derivedFaults } from "./chat/derived.js";
import { detectFaults } from "./chat/detect-faults.js";
import type { ChatFault, ChatVariation } from "./chat/fault.js";
import { faults } from "./chat/faults.js";
import { allDeviations, together, variations } from "./chat/variations.js";
import { verifyBehaviour } from "./chat/verify-behaviour.js";
import type { DaemonFault, DaemonVariation } from "./daemon/fault.js";
import { daemonFaults } from "./daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "./daemon/run-daemon-behaviour.js";
import { daemonVariations } from "./daemon/variations.js";

/** What `accord verify` says of one server: rules, or operations where no rule is concerned. */
interface Verdict {
  /** Broken by failed checks. A server without any passes, unless the run is strict. */
  readonly failed: readonly string[];
  /** The recommendations that it deviates from. A server without any passes a strict run, too. */
  readonly deviated: readonly string[];
  /** The checks that could not run. */
  readonly errored: readonly string[];
}

type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * Verifies the reference servers with each named fault and variation, or with all. Variations of the chat service are verified together,
 * and so are all deviations, unless names are given. `print` is called with the names of those that are done.
 */
export async function listVerdicts(
  names: ReadonlySet<string>,
  print: (line: string) => void,
): Promise<Readonly<Record<string, Verdicts>>> {
  const derived = names.size === 0 ? [] : (await derivedFaults()).filter(({ name }) => names.has(name));
  const chosen = <Row extends { readonly name: string }>(rows: readonly Row[]) =>
    rows.filter(({ name }) => names.size === 0 || names.has(name));
  return {
    "chat faults": await chatFaultVerdicts([...chosen(faults), ...derived], print),
    "chat variations": names.size === 0 ? await chatVariationVerdicts(print) : {},
    daemon: await daemonVerdicts(chosen(daemonFaults), chosen(daemonVariations), print),
  };
}

async function chatFaultVerdicts(faults: readonly ChatFault[], print: (line: string) => void): Promise<Verdicts> {
  if (faults.length === 0) return {};
  const reference = await createChatReference({ states: true, validateResponses: true });
  try {
    const seen = await detectFaults(faults, reference, (done) => print(done.map(({ name }) => name).join(" ")));
    return sorted(
      faults.map((fault) => {
        const checks = (seen.get(fault) ?? []).filter(createNameFilter(fault.checkedBy));
        return [fault.name, verdictOf(checks)];
      }),
    );
  } finally {
    await reference.close();
  }
}

async function chatVariationVerdicts(print: (line: string) => void): Promise<Verdicts> {
  const groups: readonly ChatVariation[] = [
    { ...together(variations), name: "all variations" },
    { name: "all deviations", summary: "follows no recommendation", behaviour: allDeviations() },
  ];
  const found: [string, Verdict][] = [];
  for (const { name, behaviour, options, prepare } of groups) {
    const server = await createChatReference({ states: true, validateResponses: true, ...options });
    try {
      await prepare?.(server);
      if (behaviour !== undefined) found.push([name, verdictOf(await verifyBehaviour(behaviour, server, { jobs: 3 }))]);
      print(name);
    } finally {
      await server.close();
    }
  }
  return sorted(found);
}

async function daemonVerdicts(
  faults: readonly DaemonFault[],
  variations: readonly DaemonVariation[],
  print: (line: string) => void,
): Promise<Verdicts> {
  const found: [string, Verdict][] = [];
  const record = (name: string, checks: readonly CheckResult[]) => {
    found.push([name, verdictOf(checks)]);
    print(name);
  };
  await runAll(faults, 8, async (fault) => record(fault.name, (await runDaemonFault(fault)).checks));
  await runAll(variations, 8, async ({ name, behaviour }) => {
    record(name, (await runDaemonBehaviour(behaviour, { log: true })).checks);
  });
  return sorted(found);
}

function verdictOf(checks: readonly CheckResult[]): Verdict {
  const brokenBy = (kind: "failed" | "deviated") => {
    const broken = checks
      .filter(({ outcome }) => outcome.kind === kind)
      .flatMap((check) => {
        const rules = brokenRules(check);
        return rules.length > 0 ? rules : [check.operation];
      });
    return [...new Set(broken)].sort();
  };
  return {
    failed: brokenBy("failed"),
    deviated: brokenBy("deviated"),
    errored: checks.flatMap(({ id, outcome }) => (outcome.kind === "errored" ? id : [])).sort(),
  };
}

function sorted(verdicts: readonly (readonly [string, Verdict])[]): Verdicts {
  return Object.fromEntries([...verdicts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
