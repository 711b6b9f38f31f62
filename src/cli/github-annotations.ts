import { randomUUID } from "node:crypto";
import { visibleLine } from "../text/visible-text.js";
import { listFailures } from "../verify/model/failures.js";
import { type AnyReport, modelOf } from "../verify/model/to-json-report.js";

/** GitHub shows at most ten errors and ten warnings of a step. */
const maxAnnotations = 10;

/**
 * Surrounds output that may quote a server, so that GitHub executes no workflow command in it.
 * Source: workflow commands of GitHub Actions, "Stopping and starting workflow commands".
 */
export function withoutCommands(output: string): string {
  const token = randomUUID();
  return `::stop-commands::${token}\n${output}::${token}::\n`;
}

/** Formats the broken rules as errors, and the recommendations that are not followed as warnings. */
export function formatAnnotations(report: AnyReport): string {
  const failures = listFailures(modelOf(report));
  const ofKind = (deviating: boolean) => failures.filter(({ isDeviating }) => isDeviating === deviating);
  return [false, true]
    .flatMap((deviating) => ofKind(deviating).slice(0, maxAnnotations))
    .map(({ title, rule, isDeviating, checks: [check] }) => {
      const text = `${rule?.text ?? ""} ${check.id}: ${check.problems?.[0] ?? ""}`;
      return `::${isDeviating ? "warning" : "error"} title=${property(visibleLine(title))}::${data(visibleLine(text.trim()))}\n`;
    })
    .join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
