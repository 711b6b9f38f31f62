import { operations } from "../../generated/chat/operations.js";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { runAll } from "../../src/verify/run-all.js";
import type { Behaviour, OperationId } from "../../test/faults/chat/behaviour.js";
import { faults } from "../../test/faults/chat/faults.js";
import { variations } from "../../test/faults/chat/variations.js";
import { createPlainDredd } from "./create-plain-dredd.js";
import { createPrismProxy } from "./create-prism-proxy.js";
import { createVerifiers } from "./create-verifiers.js";
import type { MeasuredService } from "./measured-service.js";
import type { Verdicts } from "./read-page.js";
import type { Subject } from "./tool.js";

/** How many faults are looked at at the same time. */
const together = 2;

const all = Object.keys(operations) as OperationId[];

/** What a variation is shown by: it changes every operation. */
const shown: readonly OperationId[] = ["unsubscribe", "getUserStatus", "editMessage"];
const transparent: Behaviour = { on: [], start: () => (request, forward) => forward(request) };

/** Shows every fault and variation of the chat service that is not known yet to every tool. Tells of each as soon as it is done. */
export async function measureChat(known: Verdicts): Promise<MeasuredService> {
  const { accord, respect } = await createVerifiers();
  const tools = [accord, await createPlainDredd(), await createPrismProxy(), respect];
  const reportedBy = new Map(known);
  const isUnknown = ({ name }: { readonly name: string }) => !known.has(name);
  const measure = async (name: string, subject: Subject) => {
    const found: string[] = [];
    for (const tool of tools) if ((await tool.report(subject)).length > 0) found.push(tool.name);
    process.stdout.write(`${name}: ${found.join(", ") || "nothing"}\n`);
    reportedBy.set(name, found);
  };
  const reference = await createChatReference({ states: true, validateResponses: true });
  await runAll(faults.filter(isUnknown), together, async ({ name, looksAt, behaviour }) => {
    const about = behaviour.on === "all" ? all : behaviour.on;
    await measure(name, { behaviour, reference, plain: reference, looksAt, operations: about });
  });
  await runAll(variations.filter(isUnknown), together, async ({ name, behaviour = transparent, options, prepare }) => {
    const server = await createChatReference({ states: true, validateResponses: true, ...options });
    prepare?.(server);
    await measure(name, { behaviour, reference: server, plain: reference, looksAt: shown, operations: shown });
    await server.close();
  });
  await reference.close();
  for (const tool of tools) await tool.close();
  const measured = (name: string) => ({ name, reportedBy: reportedBy.get(name) ?? [] });
  return {
    tools: tools.map(({ name }) => name),
    faults: faults.map(({ name, family, summary }) => ({ ...measured(name), family, summary })),
    variations: variations.map(({ name, summary }) => ({ ...measured(name), summary })),
  };
}
