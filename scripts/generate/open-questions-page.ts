import { listCases } from "../../src/contract/rest/cases.js";
import { type ClientRule, listClientRules } from "../../src/contract/rest/client-rules.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import type { Rule } from "../../src/contract/rest/rule.js";
import { coverRules, type WorkflowRules } from "../../src/contract/rest/rule-coverage.js";
import { listRules } from "../../src/contract/rest/rules.js";
import type { RpcCases } from "../../src/contract/rpc/cases.js";
import { namedRules } from "../../src/contract/rpc/evidence.js";
import { table } from "./markdown-table.js";
import type { OpenTopic } from "./open-points.js";

/** The content of the page. */
export interface OpenQuestions {
  readonly contract: ContractDocument;
  readonly workflows: readonly WorkflowRules[];
  readonly daemon: RpcCases;
  readonly chatTopics: readonly OpenTopic[];
  readonly daemonTopics: readonly OpenTopic[];
}

/** A recommendation, with the cases and workflows that check it. */
interface Recommendation {
  readonly id: string;
  readonly text: string;
  readonly gap?: string;
  readonly source?: string;
  readonly untestable?: string;
  readonly checks: readonly string[];
}

/** The page `generated/guides/open-questions.md`: what the requirements leave open, and what the contracts recommend for it. */
export function openQuestionsPage({ contract, workflows, daemon, chatTopics, daemonTopics }: OpenQuestions): string {
  const chat = coverRules(listRules(contract), listCases(contract), workflows).map((covered) => ({
    ...covered.rule,
    checks: [...covered.cases, ...covered.workflows, ...derivedCheck(covered.rule)],
  }));
  const ofDaemon = daemon.rules.map((rule) => ({
    ...rule,
    checks: daemon.cases.filter((one) => namedRules(one, [rule]).length > 0).map(({ name }) => name),
  }));
  const ofClients = listClientRules(contract).map((rule) => ({ ...rule, checks: trafficChecks(rule) }));
  const sections = [
    recommended("Chat: recommendations", chat.filter(isRecommendation)),
    recommended("Chat: recommendations for clients", ofClients.filter(isRecommendation)),
    ...chatTopics.map((topic) => leftOpen("Chat", topic)),
    recommended("Daemon: recommendations", ofDaemon.filter(isRecommendation)),
    ...daemonTopics.map((topic) => leftOpen("Daemon", topic)),
  ];
  return `<!-- Written by \`npm run generate\` from the rules of the contracts and \`open-points.yaml\`. Not to be edited. -->

# Open questions

This page lists what the requirements do not state.

Where calls can show the choice of a server, a rule of the contract may recommend one (\`strength: should\`). \`accord verify\` reports a server
that does not follow it as deviating, and fails only with \`--strict\`. The reference implementations follow every recommendation.
Recommendations for clients are checked by observing traffic or with a strain; [client-rules.md](client-rules.md) explains strains and lists
all rules for clients.

The contract leaves all other points open. The last column of their tables gives the choice of the reference implementation, which is not
part of the contract.

${sections.filter((section) => section !== "").join("\n")}`;
}

/** The kind of the derived check that shows a rule. Empty if only cases and workflows show it. */
function derivedCheck({ "shown-by": shownBy }: Rule): string[] {
  return shownBy === undefined || shownBy.kind === "error-status" ? [] : [shownBy.kind];
}

/** How the traffic of a client shows a rule. */
function trafficChecks({ seen, strain }: ClientRule): string[] {
  return [...(seen === undefined ? [] : ["traffic"]), ...(strain === undefined ? [] : [strain])];
}

function isRecommendation({ strength }: { readonly strength?: string }): boolean {
  return strength === "should";
}

function recommended(heading: string, rules: readonly Recommendation[]): string {
  const rows = rules.map(({ id, text, gap = "", source = "", untestable, checks }) => [
    gap,
    source,
    `${text} (\`${id}\`)`,
    untestable === undefined ? checksIn(checks) : `Not checked: ${untestable}`,
  ]);
  const columns = ["Point", "Where in the requirements", "Recommendation", "Checked by"];
  return rows.length === 0 ? "" : `## ${heading}\n\n${table(columns, rows)}`;
}

/** Maximum number of checks that a row names. */
const maxChecks = 6;

function checksIn(checks: readonly string[]): string {
  const named = checks.slice(0, maxChecks).map((check) => `\`${check}\``);
  const rest = checks.length - named.length;
  return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${rest} more`;
}

function leftOpen(contract: string, { topic, points }: OpenTopic): string {
  const rows = points.map(({ point, source, choice, unchecked }) => [
    point,
    source,
    unchecked === undefined ? choice : `${choice}. Not checked: ${unchecked}`,
  ]);
  const columns = ["Point", "Where in the requirements", "Choice of the reference implementation"];
  return `## ${contract}: ${topic}\n\n${table(columns, rows)}`;
}
