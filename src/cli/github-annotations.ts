import { randomUUID } from "node:crypto";
import type { FindingTag } from "../report/model/finding.js";
import { listFindings } from "../report/model/findings.js";
import { type AnyReport, modelOf } from "../report/model/to-json-report.js";
import { visibleLine } from "../text/visible-text.js";

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
  const findings = listFindings(modelOf(report));
  const annotate = (level: "error" | "warning", wanted: FindingTag) =>
    findings
      .filter(({ tag }) => tag === wanted)
      .slice(0, maxAnnotations)
      .map(({ title, rule, checks: [check] }) => {
        const text = `${rule?.text ?? ""} ${check?.id}: ${check?.problems?.[0] ?? ""}`;
        return `::${level} title=${property(visibleLine(title))}::${data(visibleLine(text.trim()))}\n`;
      });
  return [...annotate("error", "FAIL"), ...annotate("warning", "DEVIATES")].join("");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
