import { readFileSync } from "node:fs";
import { groupBy } from "../../../src/verify/report/group-by.js";
import { pageOfDaemonRule } from "../daemon/daemon-rules.js";
import type { SiteSource } from "../site-source.js";
import { consoleFiles } from "./console-data.js";
import { writeFaultsPage } from "./faults-page.js";

const faults = new URL("../../../docs/faults.md", import.meta.url);
const verdicts = new URL("../../../scripts/faults/verdicts.json", import.meta.url);

/** The interactive pages, with the files that they load. The map of faults replaces its guide. */
export function toolPages(source: SiteSource): [path: string, content: string][] {
  return [
    ...consoleFiles(source.views.whole, source.daemon),
    rulePagesFile(source),
    ["reports.md", writeReportsPage()],
    ["guides/faults.md", writeFaultsPage(readFileSync(faults, "utf8"), JSON.parse(readFileSync(verdicts, "utf8")))],
  ];
}

/** The file with the rules of each page, to which reports link. */
function rulePagesFile({ pageOfRule, daemon }: SiteSource): [path: string, content: string] {
  const ofDaemon = [...daemon.rules, ...daemon.clientRules].map((rule) => [rule.id, pageOfDaemonRule(rule)] as const);
  const all = [...pageOfRule, ...ofDaemon];
  const pages = [...groupBy(all, ([, page]) => page)].map(([page, rules]) => [page, rules.map(([id]) => id)]);
  return ["public/rule-pages.json", JSON.stringify(Object.fromEntries(pages))];
}

/** The Markdown of the page that shows reports. */
function writeReportsPage(): string {
  return `---
title: Reports
aside: false
---

# Reports

See what \`accord verify\`, \`accord proxy\` or \`accord check\` found: run it with \`--json report.json\`, and drop the file here. With two
reports, the page shows what is newly broken, fixed, or new.

<ReportViewer />
`;
}
