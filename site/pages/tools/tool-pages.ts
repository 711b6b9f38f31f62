import type { SiteSource } from "../site-source.js";
import { consoleFiles } from "./console-data.js";

/** The interactive pages, with the files that they load. */
export function toolPages(source: SiteSource): [path: string, content: string][] {
  return [...consoleFiles(source.views.whole, source.daemon), ["reports.md", writeReportsPage()]];
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
