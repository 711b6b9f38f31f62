/** The Markdown of the page that shows reports. */
export function writeReportsPage(): string {
  return `---
title: Reports
aside: false
---

# Reports

See what \`accord verify\`, \`accord proxy\` or \`accord check\` found: run it with \`--json report.json\`, and drop the file here. With two
reports, the page shows what got broken, what was mended, and what is new.

<ReportViewer />
`;
}
