import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import type { Check } from "../../src/verify/check.js";
import { judgeRules } from "../../src/verify/report/judge-rules.js";
import { runAll } from "../../src/verify/run-all.js";
import type { VerifyReport } from "../../src/verify/verify-report.js";
import type { Behaviour } from "./chat/behaviour.js";
import { detectFaults } from "./chat/detect-faults.js";
import { faults } from "./chat/faults.js";
import { outcomeIn, outcomeOf } from "./chat/outcome.js";
import { allDeviations, together, variations } from "./chat/variations.js";
import { verifyBehaviour } from "./chat/verify-behaviour.js";
import { daemonFaults } from "./daemon/faults.js";
import { runDaemonBehaviour, runDaemonFault } from "./daemon/run-daemon-behaviour.js";
import { daemonVariations } from "./daemon/variations.js";

/** What `accord verify` says of one server. `--strict` also fails a server that deviates from a recommendation. */
interface Verdict {
  readonly plain: "caught" | "spared";
  readonly strict: "caught" | "spared";
  /** The rules and operations that failed or deviated. */
  readonly broken: readonly string[];
  /** The checks that could not run. */
  readonly errored: readonly string[];
}

/** The verdicts on a service: by name of the fault, and of the variation or the group of variations verified together. */
type Verdicts = Readonly<Record<string, Verdict>>;

/**
 * Verifies the reference servers with every fault and variation, with `accord verify` alone. A change of the verifier that may not change a
 * verdict is measured by comparing two such lists. Variations of the chat service are verified together: all of them, and all deviations.
 */
export async function listVerdicts(print: (line: string) => void): Promise<Readonly<Record<string, Verdicts>>> {
  const chat = await chatVerdicts(print);
  const daemon = await daemonVerdicts(print);
  return { "chat faults": chat.faults, "chat variations": chat.variations, daemon: daemon };
}

async function chatVerdicts(print: (line: string) => void) {
  const reference = await createChatReference({ states: true, validateResponses: true });
  try {
    const seen = await detectFaults(faults, reference, (done) => print(done.map(({ name }) => name).join(" ")));
    const groups = {
      "without a change": {
        behaviour: { on: "all", start: () => (request, forward) => forward(request) } as Behaviour,
      },
      "all variations": together(variations),
      "all deviations": { behaviour: allDeviations() },
    };
    const variationVerdicts: [string, Verdict][] = [];
    for (const [name, { behaviour, ...how }] of Object.entries(groups)) {
      const server = await createChatReference({
        states: true,
        validateResponses: true,
        ...("options" in how && how.options),
      });
      try {
        if ("prepare" in how) await how.prepare?.(server);
        if (behaviour !== undefined)
          variationVerdicts.push([name, verdictOf(outcomeIn(await verifyBehaviour(behaviour, server, { jobs: 3 })))]);
        print(name);
      } finally {
        await server.close();
      }
    }
    return {
      faults: sorted(faults.map((fault) => [fault.name, verdictOf(outcomeOf(fault, seen.get(fault) ?? []))])),
      variations: Object.fromEntries(variationVerdicts),
    };
  } finally {
    await reference.close();
  }
}

async function daemonVerdicts(print: (line: string) => void): Promise<Verdicts> {
  const found: [string, Verdict][] = [];
  const record = (name: string, report: VerifyReport) => {
    const broken = judgeRules(report).rules.filter(({ state }) => state === "broken" || state === "deviating");
    found.push([name, { ...verdictOf(outcomeIn(report.checks)), broken: broken.map(({ id }) => id).sort() }]);
    print(name);
  };
  await runAll(daemonFaults, 8, async (fault) => record(fault.name, await runDaemonFault(fault)));
  await runAll(daemonVariations, 8, async ({ name, behaviour }) =>
    record(name, await runDaemonBehaviour(behaviour, { log: true })),
  );
  return sorted(found);
}

function verdictOf({ failed, deviated, broken, errored }: ReturnType<typeof outcomeIn>): Verdict {
  const caught = (checks: readonly Check["id"][]) => (checks.length > 0 ? "caught" : "spared");
  return {
    plain: caught(failed),
    strict: caught([...failed, ...deviated]),
    broken: [...broken].sort(),
    errored: errored.map((text) => text.replace(/: .*/s, "")).sort(),
  };
}

function sorted(verdicts: readonly (readonly [string, Verdict])[]): Verdicts {
  return Object.fromEntries([...verdicts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
