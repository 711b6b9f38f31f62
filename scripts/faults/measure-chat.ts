import { operations } from "../../generated/chat/operations.js";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import type { FaultTables, ToolVerdict } from "../../site/pages/tools/fault-tables.js";
import { createProgress } from "../../src/cli/create-progress.js";
import { runAll } from "../../src/verify/run-all.js";
import type { Behaviour, OperationId } from "./chat/behaviour.js";
import type { ChatFault, ChatVariation } from "./chat/fault.js";
import { faults } from "./chat/faults.js";
import { listChecks } from "./chat/plan-rounds.js";
import { ownDeviations, variations } from "./chat/variations.js";
import { createPlainDredd } from "./create-plain-dredd.js";
import { createPrismProxy } from "./create-prism-proxy.js";
import { createStockRespect } from "./create-stock-respect.js";
import { createVerifiers } from "./create-verifiers.js";
import type { Subject } from "./tool.js";
import { completeIn, type KnownVerdicts, tableOf } from "./verdicts.js";

/** The number of faults measured concurrently. */
const concurrency = 2;

const all = Object.keys(operations) as OperationId[];

/** The operations that a variation of all operations is measured with. */
const sampled: readonly OperationId[] = ["unsubscribe", "getUserStatus", "editMessage"];
const allVariations: readonly ChatVariation[] = [...variations, ...ownDeviations];
const transparent: Behaviour = { on: [], start: () => (request, forward) => forward(request) };

/**
 * Measures the verdicts of tools on faults and variations of the chat service that are not known yet, and prints each
 * result.
 */
export async function measureChat(known: KnownVerdicts): Promise<FaultTables> {
  const checks = await listChecks();
  const { accord, strict } = createVerifiers();
  const tools = [accord, strict, await createPlainDredd(), await createPrismProxy(), await createStockRespect()];
  const verdicts = completeIn(known);
  const complete = new Set(verdicts.keys());
  const isUnknown = ({ name }: { readonly name: string }) => !complete.has(name);
  const progress = createProgress(process.stderr, { title: "chat" });
  progress.plan([...faults, ...allVariations].filter(isUnknown).length);
  const measure = async (name: string, subject: Subject) => {
    const found: ToolVerdict[] = [];
    for (const [index, tool] of tools.entries()) {
      const before = known.get(name)?.[index];
      if (before !== undefined) {
        found.push(before);
        continue;
      }
      const report = await tool.report(subject).catch((cause: unknown) => {
        throw new Error(`${tool.name} could not measure ${name}: ${String(cause)}`, { cause });
      });
      found.push(report.length > 0 ? "reported" : "silent");
    }
    progress.clear();
    const reporting = tools.filter((_, index) => found[index] === "reported").map((tool) => tool.name);
    process.stdout.write(`${name}: ${reporting.join(", ") || "nothing"}\n`);
    progress.done(name);
    verdicts.set(name, found);
  };
  const reference = await createChatReference({ states: true, validateResponses: true });
  const measureFault = async ({ name, checkedBy, behaviour }: ChatFault) => {
    const affected = behaviour.on === "all" ? all : behaviour.on;
    await measure(name, { behaviour, reference, plain: reference, checkedBy, operations: affected });
  };
  const measureVariation = async ({ name, behaviour = transparent, options, prepare }: ChatVariation) => {
    const server = await createChatReference({ states: true, validateResponses: true, ...options });
    try {
      await prepare?.(server);
      const operations = behaviour.on === "all" || behaviour.on.length === 0 ? sampled : behaviour.on;
      const checkedBy = checks
        .filter(({ reaches }) => operations.some((id) => reaches.includes(id)))
        .map(({ id }) => id);
      await measure(name, { behaviour, reference: server, plain: reference, checkedBy, operations });
    } finally {
      await server.close();
    }
  };
  try {
    await runAll(faults.filter(isUnknown), concurrency, measureFault);
    await runAll(allVariations.filter(isUnknown), concurrency, measureVariation);
  } finally {
    progress.end();
    // An open server would keep the process running.
    await reference.close();
    for (const tool of tools) await tool.close();
  }
  return tableOf(
    tools.map(({ name }) => name),
    faults,
    allVariations,
    verdicts,
  );
}
