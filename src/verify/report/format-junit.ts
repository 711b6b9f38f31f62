import type { Check, Exchange } from "../check.js";
import type { VerifyReport } from "../verify-report.js";
import { commandOf } from "./command-of.js";
import { describeVerdict } from "./describe-verdict.js";
import { exitCode, measureExercise } from "./exit-code.js";
import { groupBy } from "./group-by.js";
import { brokenRules, describeStale, judgeRules, type StaleEntry } from "./judge-rules.js";
import { verdictOf } from "./verdict.js";
import { printableText } from "./visible-text.js";

/** A test case with its result, formatted as XML. */
interface TestCase {
  readonly suite: string;
  readonly xml: string;
  readonly result: "passed" | "failed" | "errored" | "skipped";
  readonly seconds: number;
}

/**
 * Formats the result of a verification as JUnit XML for GitLab, Jenkins and GitHub Actions: a suite for each operation, a case for each
 * check. Checks that were skipped or are known to fail are skipped cases with the reason. Outdated known-failing entries are failures. A
 * run that was stopped, or exercised too few rules, adds an error, so that no reader takes it for a pass.
 */
export function formatJunit(report: VerifyReport): string {
  const { contract, version, target, level, seed, stopped, startedAt, durationMs } = report;
  const judgement = judgeRules(report);
  const { rules, stale } = judgement;
  const sentences = new Map(
    rules.map(({ id, text, source }) => [id, source === undefined ? text : `${text} (Source: ${source})`]),
  );
  const { exercised, exercisable, percent, minPercent } = measureExercise(report, rules);
  const cases = [
    ...report.checks.map((check) => toTestCase(check, report, sentences)),
    ...stale.filter(({ why }) => why === "unknown").map(staleCase),
    ...(stopped === true ? [stoppedCase()] : []),
    ...(exitCode(report) === 3 ? [inconclusiveCase(describeVerdict(report, judgement).sentence)] : []),
  ];
  const properties = Object.entries({
    contract,
    version,
    target,
    level,
    seed,
    stopped,
    exercised: `${exercised} of ${exercisable} rules (${percent} %)`,
    minExercised: `${minPercent} %`,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => element("property", { name, value: String(value) }));
  // The schema of Jenkins allows neither fractions nor a time zone.
  const timestamp = startedAt.slice(0, 19);
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, ofSuite]) =>
    element("testsuite", { name, ...countsOf(ofSuite), time: seconds(sum(ofSuite)), timestamp }, [
      element("properties", {}, properties),
      ...ofSuite.map(({ xml }) => xml),
    ]),
  );
  const root = { name: commandOf(report), ...countsOf(cases), time: seconds(durationMs / 1000) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", root, suites)}\n`;
}

function countsOf(cases: readonly TestCase[]): Record<"tests" | "failures" | "errors" | "skipped", string> {
  const count = (wanted: TestCase["result"]) => String(cases.filter(({ result }) => result === wanted).length);
  return {
    tests: String(cases.length),
    failures: count("failed"),
    errors: count("errored"),
    skipped: count("skipped"),
  };
}

function sum(cases: readonly TestCase[]): number {
  return cases.reduce((total, one) => total + one.seconds, 0);
}

function seconds(value: number): string {
  return value.toFixed(3);
}

function toTestCase(check: Check, { knownFailing }: VerifyReport, sentences: ReadonlyMap<string, string>): TestCase {
  const { id, operation, summary, outcome, durationMs } = check;
  const known = knownFailing.get(id);
  const build = (result: TestCase["result"], ...content: string[]): TestCase => ({
    suite: operation,
    xml: element("testcase", { name: id, classname: operation, time: seconds(durationMs / 1000) }, content),
    result,
    seconds: durationMs / 1000,
  });
  switch (outcome.kind) {
    case "passed": {
      if (verdictOf(check, knownFailing) === "passed") return build("passed");
      const message = describeStale("passes");
      return build("failed", element("failure", { message, type: "stale" }, [escapeText(`Reason given: ${known}`)]));
    }
    case "failed": {
      const { problems, trace } = outcome;
      const broken = brokenRules(check);
      const ofRules = broken.map((rule) => `Breaks ${rule}: ${sentences.get(rule) ?? "no rule of the contract"}`);
      const ofProblems = problems.map((problem) => `- ${problem}`);
      const text = escapeText([summary, ...ofRules, ...ofProblems, ...describe(trace)].join("\n"));
      const message = [...broken.slice(0, 1), problems[0] ?? "It fails."].join(": ");
      return known === undefined
        ? build("failed", element("failure", { message, type: "violation" }, [text]))
        : build(
            "skipped",
            element("skipped", { message: `Known to fail: ${known}` }),
            element("system-out", {}, [text]),
          );
    }
    case "deviated": {
      // JUnit has no warnings: a deviation is a test that passed, with a text.
      const { problems, broken, trace } = outcome;
      const ofRules = broken.map((rule) => `Does not follow ${rule}: ${sentences.get(rule) ?? ""}`);
      const ofProblems = problems.map((problem) => `- ${problem}`);
      return build(
        "passed",
        element("system-out", {}, [escapeText([summary, ...ofRules, ...ofProblems, ...describe(trace)].join("\n"))]),
      );
    }
    case "skipped":
      return build("skipped", element("skipped", { message: outcome.reason }));
    case "errored": {
      const { reason, help, trace } = outcome;
      const text = [summary, reason, ...(help === undefined ? [] : [help]), ...describe(trace)].join("\n");
      return build("errored", element("error", { message: reason, type: "error" }, [escapeText(text)]));
    }
  }
}

function staleCase({ name, reason, nearest }: StaleEntry): TestCase {
  const message = describeStale("unknown");
  const text = [`Reason given: ${reason}`, ...nearest.map((other) => `Similar: ${other}`)].join("\n");
  const failure = element("failure", { message, type: "stale" }, [escapeText(text)]);
  const attributes = { name, classname: "known-failing", time: "0.000" };
  return { suite: "known-failing", xml: element("testcase", attributes, [failure]), result: "failed", seconds: 0 };
}

function stoppedCase(): TestCase {
  const error = element("error", { message: "The run was stopped before it was complete.", type: "stopped" });
  const attributes = { name: "stopped", classname: "run", time: "0.000" };
  return { suite: "run", xml: element("testcase", attributes, [error]), result: "errored", seconds: 0 };
}

function inconclusiveCase(message: string): TestCase {
  const error = element("error", { message, type: "inconclusive" });
  const attributes = { name: "inconclusive", classname: "run", time: "0.000" };
  return { suite: "run", xml: element("testcase", attributes, [error]), result: "errored", seconds: 0 };
}

function describe(trace: readonly Exchange[]): string[] {
  return trace.flatMap(({ command, response }) => ["", `$ ${command}`, "", response ?? "no answer"]);
}

function element(name: string, attributes: Readonly<Record<string, string>>, content: readonly string[] = []): string {
  const start = Object.entries(attributes).reduce(
    (tag, [key, value]) => `${tag} ${key}="${escapeAttribute(value)}"`,
    `<${name}`,
  );
  const isText = content.every((part) => !part.startsWith("<"));
  if (content.length === 0) return `${start}/>`;
  return isText ? `${start}>${content.join("")}</${name}>` : `${start}>\n${content.join("\n")}\n</${name}>`;
}

/** XML 1.0 cannot represent some control characters, so all of them are escaped as `\u009b`. */
function escapeText(text: string): string {
  return printableText(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** Escapes white space too, because XML parsers turn it into spaces in attributes. */
function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}
