import { fileURLToPath } from "node:url";
import { expandWorkflows } from "../src/behaviour/expand-workflows.js";
import { loadStatesCatalogue } from "../src/chat/contract.js";
import { listCases } from "../src/contract/rest/cases.js";
import { listClientRules } from "../src/contract/rest/client-rules.js";
import { coverRules } from "../src/contract/rest/rule-coverage.js";
import { listRules } from "../src/contract/rest/rules.js";
import { createStateCatalogue } from "../src/contract/rest/states/catalogue.js";
import { codeCheckProblems, uncheckedRules } from "../src/lint/rest/rule-problems.js";
import { loadCodeChecks } from "../src/verify/rest/load-code-checks.js";
import { bundleContract } from "./generate/bundle.js";
import { readDaemonCases } from "./generate/daemon-cases.js";
import { readOpenPoints, repeatedPoints } from "./generate/open-points.js";
import { listWorkflowRules } from "./generate/workflow-rules.js";
import { runScript } from "./run-script.js";

// Fails if a rule has no case, no workflow and no `untestable`, if `shown-by` or `x-refers-to` yields no probe, if a
// check in code names an unknown rule, if a provider state is unused, or if a recommendation and an open point name the same gap.
await runScript(async () => {
  const contract = await bundleContract();
  const cases = listCases(contract);
  const expanded = expandWorkflows(contract, "openapi/behaviour");
  const checks = await loadCodeChecks(new URL("../openapi/checks/", import.meta.url));
  const workflows = await listWorkflowRules(expanded);
  const rules = listRules(contract);
  const covered = coverRules(rules, cases, workflows);
  const used = new Set([
    ...cases.flatMap(({ given }) => given.map(({ state }) => state)),
    ...expanded.workflows.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === "state" ? step.state : []))),
  ]);
  const { names } = createStateCatalogue(fileURLToPath(new URL("../openapi/chat.yaml", import.meta.url)));
  const daemon = await readDaemonCases();
  const openPoints = [readOpenPoints("chat"), readOpenPoints("daemon")];
  const clientRules = listClientRules(contract);
  const allRules = [...covered.map(({ rule }) => rule), ...clientRules, ...daemon.rules, ...daemon.clientRules];
  const gaps = allRules.flatMap(({ gap }) => gap ?? []);
  const problems = [
    ...expanded.problems,
    ...openPoints.flatMap((one) => one.problems),
    ...repeatedPoints(
      openPoints.flatMap(({ topics }) => topics),
      gaps,
    ),
    ...uncheckedRules(
      { document: contract, workflows: expanded.workflows, states: await loadStatesCatalogue() },
      checks,
    ),
    ...codeCheckProblems(checks, rules),
    ...names
      .filter((name) => !used.has(name))
      .map((name) => `states.yaml: no case and no workflow uses the state ${name}.`),
    ...daemon.problems,
  ];
  const recommendations = allRules.filter(({ strength }) => strength === "should");
  const count = (test: (rule: (typeof covered)[number]) => boolean) => covered.filter(test).length;
  process.stdout.write(
    `chat: ${covered.length} rules, ${count(({ cases }) => cases.length > 0)} shown by ${cases.length} cases, ` +
      `${count(({ workflows }) => workflows.length > 0)} by ${workflows.length} workflows, ` +
      `${count(({ rule }) => rule.untestable !== undefined)} untestable\n` +
      `clients: ${clientRules.length} rules, ${clientRules.filter(({ seen }) => seen !== undefined).length} shown by traffic, ` +
      `${clientRules.filter(({ strain }) => strain !== undefined).length} tested by strains, ` +
      `${clientRules.filter(({ untestable }) => untestable !== undefined).length} untestable\n` +
      `daemon: ${daemon.rules.length} rules, ${daemon.cases.length} cases, ` +
      `${daemon.rules.filter(({ untestable }) => untestable !== undefined).length} untestable\n` +
      `${recommendations.length} of these rules are recommendations\n`,
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
});
