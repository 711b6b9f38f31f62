import { fileURLToPath } from "node:url";
import { listCases } from "../src/contract/chat/cases.js";
import { coverageProblems, coverRules, listRules } from "../src/contract/chat/rules.js";
import { conditionalRules } from "../src/contract/chat/workflows.js";
import { tusWorkflow } from "../src/verify/chat/tus/run-tus-check.js";
import { bundleContract } from "./generate/bundle.js";
import { readDaemonCases } from "./generate/daemon-cases.js";
import { expandWorkflows } from "./generate/workflows/generate-workflows.js";
import { probeProblems } from "./probe-problems.js";
import { runScript } from "./run-script.js";
import { createStateCatalogue } from "./states/catalogue.js";

// Fails if a rule has no case, no workflow and no `untestable`, if `shown-by` or `x-refers-to` leads to no probe, or if no case or workflow
// uses a provider state.
await runScript(async () => {
  const contract = await bundleContract();
  const cases = listCases(contract);
  const { resources, problems: broken } = expandWorkflows(contract);
  const workflows = [...resources.values()].flat();
  const rules = listRules(contract);
  const showing = [
    ...workflows.map(({ workflowId, "x-rules": rules, steps }) => ({
      workflowId,
      rules,
      conditional: conditionalRules(steps, rules),
    })),
    ...[tusWorkflow(rules) ?? []].flat(),
  ];
  const covered = coverRules(rules, cases, showing);
  const used = new Set([
    ...cases.flatMap(({ given }) => given.map(({ state }) => state)),
    ...workflows.flatMap(({ steps }) => steps.map(({ requestBody }) => requestBody?.payload?.state)),
  ]);
  const { names } = createStateCatalogue(fileURLToPath(new URL("../openapi/chat.yaml", import.meta.url)));
  const daemon = await readDaemonCases();
  const problems = [
    ...broken,
    ...coverageProblems(covered),
    ...probeProblems(contract),
    ...names
      .filter((name) => !used.has(name))
      .map((name) => `states.yaml: no case and no workflow uses the state ${name}.`),
    ...daemon.problems,
  ];
  const count = (test: (rule: (typeof covered)[number]) => boolean) => covered.filter(test).length;
  process.stdout.write(
    `chat: ${covered.length} rules, ${count(({ cases }) => cases.length > 0)} shown by ${cases.length} cases, ` +
      `${count(({ workflows }) => workflows.length > 0)} by ${showing.length} workflows, ` +
      `${count(({ rule }) => rule.untestable !== undefined)} untestable\n` +
      `daemon: ${daemon.rules.length} rules, ${daemon.cases.length} cases, ` +
      `${daemon.rules.filter(({ untestable }) => untestable !== undefined).length} untestable\n`,
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
});
