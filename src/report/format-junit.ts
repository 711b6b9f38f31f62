import { groupBy } from "../text/group-by.js";
import { escapeMarkup, printableText } from "../text/visible-text.js";
import { commandOf } from "./model/describe.js";
import { describeDisturbances } from "./model/disturbances.js";
import { type AnyReport, modelOf } from "./model/to-json-report.js";
import { listTestCases, type TestCase } from "./test-cases.js";

/**
 * Formats the result of a verification as JUnit XML for GitLab, Jenkins and GitHub Actions: a suite for each operation, a case for each
 * check. Checks that were skipped or are known to fail are skipped cases with the reason. Outdated known-failing entries are failures. A
 * run that was stopped, or exercised too few rules, adds an error.
 */
export function formatJunit(given: AnyReport): string {
  const report = modelOf(given);
  const { contract, version, target, level, seed, stopped, startedAt, durationMs } = report;
  const { exercised, exercisable, percent, minPercent } = report.exercise;
  const cases = listTestCases(report);
  const share = `${exercised} of ${exercisable} rules (${percent} %)`;
  const disturbances = describeDisturbances(report).join("; ") || undefined;
  const facts = {
    contract,
    version,
    target,
    level,
    seed,
    ...(stopped ? { stopped } : {}),
    exercised: share,
    disturbances,
  };
  const properties = Object.entries({ ...facts, minExercised: `${minPercent} %` })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => element("property", { name, value: String(value) }));
  // The schema of Jenkins allows neither fractions nor a time zone.
  const timestamp = startedAt.slice(0, 19);
  const suites = [...groupBy(cases, ({ suite }) => suite)].map(([name, ofSuite]) => {
    const time = seconds(ofSuite.reduce((total, one) => total + one.durationMs, 0));
    return element("testsuite", { name, ...countsOf(ofSuite), time, timestamp }, [
      element("properties", {}, properties),
      ...ofSuite.map(formatCase),
    ]);
  });
  const root = { name: commandOf(report), ...countsOf(cases), time: seconds(durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", root, suites)}\n`;
}

type Result = "passed" | "failure" | "error" | "skipped";

/** The result in JUnit, and its type. JUnit has no warnings: a deviation is a case that passed, with a text. */
const results: Readonly<Record<TestCase["status"], readonly [Result, type?: string]>> = {
  passed: ["passed"],
  deviating: ["passed"],
  failed: ["failure", "violation"],
  stale: ["failure", "stale"],
  expected: ["skipped"],
  skipped: ["skipped"],
  errored: ["error", "error"],
  stopped: ["error", "stopped"],
  inconclusive: ["error", "inconclusive"],
};

function countsOf(cases: readonly TestCase[]): Record<"tests" | "failures" | "errors" | "skipped", string> {
  const count = (wanted: Result) => String(cases.filter(({ status }) => results[status][0] === wanted).length);
  return {
    tests: String(cases.length),
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function formatCase({ name, suite, status, durationMs, message = "", details }: TestCase): string {
  const [result, type] = results[status];
  const text = details === undefined ? [] : [escapeText(details)];
  const output = text.length === 0 ? [] : [element("system-out", {}, text)];
  const content =
    type !== undefined
      ? [element(result, { message, type }, text)]
      : [...(result === "skipped" ? [element(result, { message })] : []), ...output];
  return element("testcase", { name, classname: suite, time: seconds(durationMs) }, content);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
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
  return escapeMarkup(printableText(text), /[&<>\r]/g);
}

/** Escapes white space too, because XML parsers turn it into spaces in attributes. */
function escapeAttribute(value: string): string {
  return escapeMarkup(printableText(value), /[&<>"\t\n\r]/g);
}
