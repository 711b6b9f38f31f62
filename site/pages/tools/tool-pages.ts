import { readFileSync } from "node:fs";
import type { SiteSource } from "../site-source.js";
import { consoleFiles } from "./console-data.js";
import { writeFaultsPage } from "./faults-page.js";
import { writeReportsPage } from "./reports-page.js";
import { rulePagesFile } from "./rule-pages.js";

const faults = new URL("../../../docs/faults.md", import.meta.url);

/** The interactive pages, with the files that they load. The map of faults replaces its guide. */
export function toolPages(source: SiteSource): [path: string, content: string][] {
  return [
    ...consoleFiles(source.views.whole, source.daemon),
    rulePagesFile(source),
    ["reports.md", writeReportsPage()],
    ["guides/faults.md", writeFaultsPage(readFileSync(faults, "utf8"))],
  ];
}
