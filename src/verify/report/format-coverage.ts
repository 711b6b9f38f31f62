import type { Provoked, UnexplainedRefusals } from "../coverage.js";
import type { Layout } from "./create-layout.js";
import { abbreviateList, countOf, pluralize } from "./format-values.js";
import type { JsonReport } from "./json-report.js";

/** How many names of each section are listed. */
const maxNames = 12;

/** Formats the coverage of the traffic of a client: what occurred and what never did. Empty for the verification of a server. */
export function formatCoverage({ coverage }: JsonReport, { style, text }: Layout): string[] {
  if (coverage === undefined) return [];
  const { exchanges, sections, notJudged, refusals = [], provoked } = coverage;
  const total = pluralize(exchanges, "exchange");
  const width = Math.max(total.length, ...sections.map(({ title }) => title.length));
  const rows = sections.map(({ title, items }) => {
    const shown = items.filter(({ count }) => count > 0).length;
    const cells = [shown, items.length - shown].map((count, at) => String(count).padStart(at === 0 ? 7 : 13));
    return `${title.padEnd(width)}${cells.join("")}`;
  });
  const called = new Set(
    sections.flatMap(({ items }) => items.filter(({ count }) => count > 0).map(({ name }) => name)),
  );
  const lists = sections.flatMap(({ title, items }) => {
    // Omit the parts of operations that were never called.
    const never = items
      .filter(({ count, operation }) => count === 0 && (operation === undefined || called.has(operation)))
      .map(({ name, operation }) => (operation === undefined ? name : `${operation} ${name}`));
    return never.length === 0 || called.size === 0
      ? []
      : text(`${title} never shown: ${abbreviateList(never, maxNames)}`, 2).map(style.dim);
  });
  return [
    style.dim(`${total.padEnd(width)}  shown  never shown`),
    ...rows,
    ...lists,
    ...refusals.flatMap((one) => text(describeRefusals(one), 2)),
    ...provoked.flatMap((one) => text(`provoked ${one.name}: ${describeReactions(one)}`, 2)),
    ...notJudged.flatMap(({ reason, count }) => text(`${pluralize(count, "exchange")} not judged: ${reason}`, 2)),
  ];
}

/** Says how often an operation was refused without a finding that explains it. */
export function describeRefusals({ operation, count, first }: UnexplainedRefusals): string {
  return `${operation} was refused ${times(count)} without a finding${count === 1 ? "" : ", first"}: ${first}`;
}

/** Describes how often something was provoked, and how the client reacted. */
export function describeReactions({ count, repeated, wentOn, stopped }: Provoked): string {
  const parts = [
    ...(repeated > 0 ? [`repeated the request ${times(repeated)}`] : []),
    ...(wentOn > 0 ? [`went on with another ${times(wentOn)}`] : []),
    ...(stopped > 0 ? [`sent nothing more ${times(stopped)}`] : []),
  ];
  return `${times(count)}; the client ${parts.join(", ")}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${countOf(count)} times`;
}
