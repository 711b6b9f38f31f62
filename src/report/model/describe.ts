import { abbreviateList, countOf, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { isWithheld } from "./check-result.js";
import type { Coverage } from "./coverage.js";
import type { JsonNeed, JsonOperation, JsonReport } from "./json-report.js";
import { tabledOperations } from "./judge-operations.js";
import { rulesOfRun } from "./judge-rules.js";
import { operationStates } from "./verdict.js";
import type { VerifyReport } from "./verify-report.js";

/** The command that makes such a report, without its arguments. `accord check` makes the same as `accord proxy`. */
export function commandOf({ contract, coverage }: Pick<VerifyReport, "contract" | "coverage">): string {
  return coverage === undefined ? `accord verify ${contract}` : `accord proxy ${contract}`;
}

/** Says what was verified. */
export function describeRun({ contract, version, target, level, partial }: JsonReport): string {
  return [
    `${contract} ${version} at ${target}`,
    ...(level === undefined ? [] : [`feature level ${level}`]),
    ...(partial ? ["some checks only"] : []),
  ].join(", ");
}

/** Says how many of the rules that the checks of the run can show were exercised. */
export function describeExercise({ exercise: { exercised, exercisable, percent }, coverage }: JsonReport): string {
  const source = coverage === undefined ? "these checks" : "traffic";
  return `${countOf(exercised)} of ${pluralize(exercisable, "rule")} that ${source} can show exercised (${percent} %)`;
}

/** An operation as the table shows it: its state, and its rules that are kept, exercised, and all; `-` for what a missing one cannot have. */
export function operationCells({ presence, state, kept, exercised, all }: JsonOperation): string[] {
  const counts = presence === "not-implemented" ? ["-", "-", countOf(all)] : [kept, exercised, all].map(countOf);
  return [operationStates[state], ...counts];
}

/** Says in a line each how the server says that it lacks operations. */
export function describeMissing(report: JsonReport): string[] {
  const missing = tabledOperations(report).filter(({ presence }) => presence === "not-implemented");
  return [...groupBy(missing, ({ why = "" }) => why)].map(
    ([why, of]) => `${countOf(of.length)} not implemented: ${why}`,
  );
}

/** Says in a line what to give, and how many checks then run. */
export function describeNeed({ need, checks, more, operations }: JsonNeed): string {
  const of = operations.length === 0 ? "" : ` of ${pluralize(operations.length, "operation")}`;
  const count = pluralize(checks === 0 ? more : checks, "check");
  const also = (what: string) =>
    more === 0 ? "" : checks === 0 ? `, together with other ${what}` : `, and ${countOf(more)} with other ${what}`;
  switch (need.kind) {
    case "server":
      return `verify a server that responds: ${count}${of}`;
    case "account":
      return `give --account or --states: ${count}${of}`;
    case "states":
      return `give --states: ${count}${of}`;
    case "state":
      return `state \`${need.state}\`${need.value === undefined ? "" : ` with \`${need.value}\``}: ${count}${of}`;
    case "operation":
      return `implement ${need.operations.join(", ")}: ${count}${also("operations")}`;
    case "value":
      return `${adviseValues(need.parameters)}: ${count}${of}${also("values")}`;
    case "degree":
      return need.degree === "undone"
        ? `${writing(checks)} only what the run removes again, or what the server can only refuse: give --allow-writes`
        : `${writing(checks)}: give --disposable if nothing on this server matters`;
    case "exclusion":
      return `${count}, because ${need.name} is excluded`;
  }
}

function writing(checks: number): string {
  return `${pluralize(checks, "check")} ${checks === 1 ? "writes" : "write"}`;
}

/**
 * Says in a line each what was not sent because of what the run may do, and which option sends it; then what the run created and could not
 * remove.
 */
export function describeLeft({ needs = [], created = [] }: JsonReport): string[] {
  const withheld = needs.filter(({ need }) => isWithheld(need)).map((need) => `not sent: ${describeNeed(need)}`);
  const left = [...groupBy(created, ({ request }) => request)].map(
    ([request, things]) =>
      `created and not removed: ${request} → ${abbreviateList(
        things.map(({ thing }) => thing),
        maxCreated,
      )}`,
  );
  return [...withheld, ...left];
}

/** How many things that a request created are listed. */
const maxCreated = 5;

/** What skipped checks need, besides what `describeLeft` says. */
export function nextNeeds({ needs = [] }: JsonReport): JsonNeed[] {
  return needs.filter(({ need }) => !isWithheld(need));
}

/** Says how to give values of parameters, by their names or the paths up to them. */
export function adviseValues(parameters: readonly string[]): string {
  const names = parameters.map((name) => `\`${name}\``).join(" and ");
  const options = parameters.map((name) => `--value ${/[{}/]/.test(name) ? `'${name}=…'` : `${name}=…`}`).join(" ");
  return `no value for ${names}: give an example, or \`${options}\``;
}

/** Says how many rules a partial run does not concern. Empty without any. */
export function describeOutside(report: JsonReport): string[] {
  const outside = report.rules.length - rulesOfRun(report).length;
  return outside === 0 ? [] : [`${pluralize(outside, "more rule")} of the contract not part of this run`];
}

/** Says how many checks call the selected operations and others. Empty without any. */
export function describeBeyond({ beyond }: JsonReport): string[] {
  if (beyond === undefined) return [];
  const { checks, operations } = beyond;
  return [
    `${pluralize(checks, "more check")} also ${checks === 1 ? "calls" : "call"} ${abbreviateList(operations, 5)}`,
  ];
}

/** Says what traffic showed beside the items of its sections: refusals, reactions, and what was not judged. */
export function describeTraffic({ refusals = [], provoked, notJudged }: Coverage): string[] {
  const times = (count: number) => (count === 1 ? "once" : `${countOf(count)} times`);
  return [
    ...refusals.map(
      ({ operation, count, first }) =>
        `${operation} was refused ${times(count)} without a finding${count === 1 ? "" : ", first"}: ${first}`,
    ),
    ...provoked.map(({ name, count, repeated, wentOn, stopped }) => {
      const reactions = [
        ...(repeated > 0 ? [`repeated the request ${times(repeated)}`] : []),
        ...(wentOn > 0 ? [`went on with another ${times(wentOn)}`] : []),
        ...(stopped > 0 ? [`sent nothing more ${times(stopped)}`] : []),
      ];
      return `provoked ${name}: ${times(count)}; the client ${reactions.join(", ")}`;
    }),
    ...notJudged.map(({ reason, count }) => `${pluralize(count, "exchange")} not judged: ${reason}`),
  ];
}
