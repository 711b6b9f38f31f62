import type { ReportedRule } from "./verify-report.js";

/** A rule as reports need it. */
export function toReportedRule({ id, text, source, untestable }: Omit<ReportedRule, "resource">): ReportedRule {
  const [resource = id] = id.split(".", 1);
  return {
    id,
    text,
    ...(source === undefined ? {} : { source }),
    resource,
    ...(untestable === undefined ? {} : { untestable }),
  };
}
