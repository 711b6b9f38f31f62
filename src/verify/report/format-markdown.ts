import type { RuleState, VerifyReport } from "../verify-report.js";
import { commandOf } from "./command-of.js";
import { describeVerdict } from "./describe-verdict.js";
import { type BrokenSubject, brokenSubjects } from "./format-broken.js";
import { formatDuration, pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { countStates, describeStale, type JudgedRule, judgeRules, ruleStates } from "./judge-rules.js";
import { hasOutcome } from "./verdict.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** How many broken rules, stale entries and checks that could not run are described. A job summary holds at most 1 MiB. */
const maxDescribed = 50;
/** How much of a request, response or command is shown, in characters. */
const maxText = 2000;

const states = Object.keys(ruleStates) as RuleState[];

/**
 * Formats the result of a verification as GitHub Flavored Markdown, for a job summary or a comment: the verdict, each broken rule with a
 * check that shows it, and the rules by resource. Texts of the server cannot form Markdown or HTML.
 */
export function formatMarkdown(report: VerifyReport): string {
  const judgement = judgeRules(report);
  const { word, sentence } = describeVerdict(report, judgement);
  const { contract, level, target, version, checks, durationMs } = report;
  const about = [`${contract} ${version}`, target, ...(level === undefined ? [] : [`feature level ${level}`])];
  const broken = brokenSubjects(report, judgement);
  const errored = checks.filter((check) => hasOutcome(check, "errored"));
  const blocks = [
    `## ${word}: ${commandOf(report)}`,
    plain(sentence),
    plain(`${about.join(", ")}; ${pluralize(checks.length, "check")} in ${formatDuration(durationMs)}`),
    ...broken.slice(0, maxDescribed).map(describeBroken),
    ...andMore(broken.length, "broken rule"),
    ...judgement.stale
      .slice(0, maxDescribed)
      .map(({ name, why, reason }) => `- ${code(name)}: ${plain(`${describeStale(why)} Reason given: ${reason}`)}`),
    ...andMore(judgement.stale.length, "outdated entry", "outdated entries"),
    ...errored
      .slice(0, maxDescribed)
      .map(
        ({ id, outcome }) => `- ${code(id)} could not run: ${plain([outcome.reason, outcome.help ?? ""].join(" "))}`,
      ),
    ...andMore(errored.length, "check that could not run", "checks that could not run"),
    tableOf(judgement.rules),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function describeBroken({ title, sentence, source, isDeviating, failing }: BrokenSubject): string {
  const [first] = failing;
  if (first === undefined) return "";
  const last = first.outcome.trace.at(-1);
  const others = failing.length - 1;
  return [
    `<details><summary><code>${html(visibleLine(title))}</code> ${isDeviating ? "deviates" : "<b>FAIL</b>"}</summary>`,
    ...(sentence === undefined ? [] : [plain(sentence)]),
    ...(source === undefined ? [] : [plain(`Source: ${source}`)]),
    code(first.id),
    first.outcome.problems.map((problem) => `- ${plain(problem)}`).join("\n"),
    ...(last === undefined ? [] : [fenced(last.command), fenced(last.response ?? "no answer")]),
    ...(others === 0 ? [] : [`${pluralize(others, "more check")} with problems`]),
    "</details>",
  ].join("\n\n");
}

function tableOf(rules: readonly JudgedRule[]): string {
  if (rules.length === 0) return "";
  const rows = [...groupBy(rules, ({ resource }) => resource), ["all", rules] as const].map(([resource, of]) => {
    const counts = countStates(of);
    return `| ${plain(resource)} | ${states.map((state) => counts[state]).join(" | ")} |`;
  });
  const head = `| rules | ${states.map((state) => ruleStates[state]).join(" | ")} |`;
  return [head, `|---|${states.map(() => "--:|").join("")}`, ...rows].join("\n");
}

function andMore(count: number, singular: string, plural?: string): string[] {
  const more = count - maxDescribed;
  return more <= 0
    ? []
    : [`and ${pluralize(more, `more ${singular}`, plural === undefined ? undefined : `more ${plural}`)}`];
}

/**
 * Text without markup: escapes everything that CommonMark or HTML could read as markup. Source: CommonMark 0.31,
 * sections 2.4 and 6.
 */
function plain(text: string): string {
  return cut(visibleLine(text)).replace(
    /[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

/** An inline code span, whose delimiter is longer than any row of backticks inside (CommonMark 0.31, section 6.1). */
function code(text: string): string {
  const line = cut(visibleLine(text)).replaceAll("|", "¦");
  const fence = "`".repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced code block, whose fence is longer than any row of backticks inside (CommonMark 0.31, section 4.5). */
function fenced(text: string): string {
  const shown = cut(visibleText(text).trimEnd());
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function html(text: string): string {
  return cut(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
