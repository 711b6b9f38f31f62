import { abbreviateList, countOf, formatFirst, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { cutToWidth, textWidth } from "../../text/text-width.js";
import { visibleLine, visibleText } from "../../text/visible-text.js";
import type { JsonOperation, JsonReport } from "../model/json-report.js";
import { tabledOperations } from "../model/judge-operations.js";
import { describeNeed } from "../model/list-needs.js";
import { type OperationState, operationStates } from "../model/verdict.js";
import type { Layout } from "./create-layout.js";

/** The maximum width of a name; the other columns take 40. */
const maxName = 36;
/** More operations than this that are done are only counted. */
const maxDone = 30;
/** How many needs are listed, and how many of them with what to return. */
const maxNeeds = 12;
const maxHelp = 3;

/** Formats the table of operations, one per line, and why operations count as not implemented. Empty without operations. */
export function formatOperations(report: JsonReport, { style, text }: Layout): string[] {
  const all = tabledOperations(report);
  const done = all.filter(({ state }) => state === "done");
  const rows = done.length > maxDone ? all.filter(({ state }) => state !== "done") : all;
  if (all.length === 0) return [];
  const names = rows.map(({ id }) => cutToWidth(visibleLine(id), maxName));
  const width = Math.max(10, ...names.map(textWidth));
  const paint: Partial<Record<OperationState, (text: string) => string>> = {
    failing: style.red,
    partial: style.yellow,
    done: style.green,
    "not-implemented": style.magenta,
  };
  const lines = rows.map((operation, at) => {
    const name = names[at] ?? "";
    const state = operationStates[operation.state].padEnd(15);
    const cells = countsOf(operation).map((cell, column) => cell.padStart(columns[column]?.length ?? 0));
    return [name + " ".repeat(width - textWidth(name)), (paint[operation.state] ?? style.dim)(state), ...cells].join(
      "  ",
    );
  });
  return [
    style.dim(["operations".padEnd(width), "state".padEnd(15), ...columns].join("  ")),
    ...lines,
    ...(rows.length < all.length ? [`${pluralize(done.length, "operation")} done`] : []),
    ...listReasons(all).flatMap((line) => text(line)),
  ];
}

const columns = ["kept", "exercised", "rules"];

/** The rules of an operation that are kept, exercised, and all; `-` for what an operation that is not there cannot have. */
export function countsOf({ presence, kept, exercised, all }: JsonOperation): string[] {
  return presence === "not-implemented" ? ["-", "-", countOf(all)] : [kept, exercised, all].map(countOf);
}

/** Says in a line each how the server says that it lacks operations. */
export function listReasons(operations: readonly JsonOperation[]): string[] {
  const missing = operations.filter(({ presence }) => presence === "not-implemented");
  return [...groupBy(missing, ({ why = "" }) => why)].map(
    ([why, of]) => `${countOf(of.length)} not implemented: ${visibleLine(why)}`,
  );
}

/** Says how many checks call the selected operations and others. Undefined without any. */
export function describeBeyond({ beyond }: JsonReport): string | undefined {
  if (beyond === undefined) return undefined;
  const { checks, operations } = beyond;
  return `${pluralize(checks, "more check")} also ${checks === 1 ? "calls" : "call"} ${abbreviateList(operations, 5)}`;
}

/** Formats what skipped checks need, with templates for the largest groups, and what `--operation` does not select. */
export function formatNeeds(report: JsonReport, { style, text }: Layout): string[] {
  const { needs = [] } = report;
  const helped = needs.filter(({ help }) => help !== undefined).slice(0, maxHelp);
  const lines = formatFirst(
    needs,
    maxNeeds,
    (need) => {
      if (need.help === undefined || !helped.includes(need)) return text(describeNeed(need), 2);
      return [
        ...text(`${describeNeed(need)}; here is what a setup returns`, 2),
        ...visibleText(need.help)
          .split("\n")
          .flatMap((line) => text(line, 6)),
      ];
    },
    ({ length }) => [`  and ${countOf(length)} more`],
  );
  const beyond = describeBeyond(report);
  return [
    ...(lines.length === 0 ? [] : [style.dim("what to do next"), ...lines.flat()]),
    ...(beyond === undefined ? [] : text(beyond)),
  ];
}
