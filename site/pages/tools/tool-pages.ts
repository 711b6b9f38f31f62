import { readFileSync } from "node:fs";
import type { SiteSource } from "../site-source.js";
import { consoleFiles } from "./console-data.js";
import { writeFaultsPage } from "./faults-page.js";

const faults = new URL("../../../docs/faults.md", import.meta.url);
const verdicts = new URL("../../../scripts/faults/verdicts.json", import.meta.url);

/** The interactive pages, with the files that they load. The map of faults replaces its guide. */
export function toolPages(source: SiteSource): [path: string, content: string][] {
  return [
    ...consoleFiles(source.views.whole, source.daemon),
    ["reports.md", writeReportsPage()],
    ["guides/faults.md", writeFaultsPage(readFileSync(faults, "utf8"), JSON.parse(readFileSync(verdicts, "utf8")))],
  ];
}

/** The Markdown of the page that shows reports. */
function writeReportsPage(): string {
  return `---
title: Reports
aside: false
---

# Reports

See what \`accord verify\`, \`accord proxy\` or \`accord check\` found: run it with \`--json report.json\`, and choose the file here. The page
shows the report as \`--html\` writes it. With an earlier report, it also lists what is newly broken, fixed, or new. It needs a script.

<ReportViewer />
`;
}
