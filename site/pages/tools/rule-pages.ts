import { groupBy } from "../../../src/verify/report/group-by.js";
import { pageOfDaemonRule } from "../daemon/daemon-rules.js";
import type { SiteSource } from "../site-source.js";

/** The file with the rules of each page, to which reports link. A row of `writePages`. */
export function rulePagesFile({ pageOfRule, daemon }: SiteSource): [path: string, content: string] {
  const ofDaemon = [...daemon.rules, ...daemon.clientRules].map((rule) => [rule.id, pageOfDaemonRule(rule)] as const);
  const all = [...pageOfRule, ...ofDaemon];
  const pages = [...groupBy(all, ([, page]) => page)].map(([page, rules]) => [page, rules.map(([id]) => id)]);
  return ["public/rule-pages.json", JSON.stringify(Object.fromEntries(pages))];
}
