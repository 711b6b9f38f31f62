import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { listOperations } from "../../src/contract/chat/operations.js";
import { writeChatIndexPage, writeConventionsPage } from "./chat-index-page.js";
import { consoleFiles } from "./console-data.js";
import { daemonPages } from "./daemon/daemon-pages.js";
import { writeFaultsPage } from "./faults/faults-page.js";
import { guidePages } from "./guide-pages.js";
import { type Navigation, navigationFile } from "./navigation.js";
import { writeOperationPage } from "./operation-page.js";
import { writeReportsPage } from "./reports-page.js";
import { rulePagesFile } from "./rule-pages.js";
import { readSiteSource, type SiteSource } from "./site-source.js";
import { writeStartPage } from "./start-page.js";
import { workflowPages } from "./workflows/workflow-pages.js";

/**
 * Writes the source of the site into a folder: a Markdown file for each page, and the navigation. Leaves unchanged files as they are,
 * so that a server with reload reloads only what changed, and removes others.
 */
export async function writePages(folder: string): Promise<void> {
  const source = await readSiteSource();
  const files = new Map([
    ["index.md", writeStartPage()],
    ["chat/index.md", writeChatIndexPage(source)],
    ["chat/conventions.md", writeConventionsPage(source)],
    ...(await Promise.all(
      listOperations(source.views.whole).map(
        async (listed) =>
          [`chat/${listed.operation.operationId}.md`, await writeOperationPage(source, listed)] as const,
      ),
    )),
    ...workflowPages(source),
    ...daemonPages(source),
    ...consoleFiles(source.views.whole, source.daemon).map(([path, content]) => [`public/${path}`, content] as const),
    rulePagesFile(source),
    ["reports.md", writeReportsPage()],
    ...guidePages(),
    // Takes the place of the guide.
    ["guides/faults.md", writeFaultsPage(readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8"))],
    [navigationFile, JSON.stringify(toNavigation(source))],
  ]);
  mkdirSync(folder, { recursive: true });
  for (const path of listFiles(folder)) if (!files.has(path)) rmSync(join(folder, path));
  for (const [path, content] of files) {
    const file = join(folder, path);
    if (readIfPresent(file) === content) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function toNavigation({ views }: SiteSource): Navigation {
  const operations = listOperations(views.whole).map(({ operation: { operationId, summary, tags } }) => ({
    operationId,
    summary,
    tag: tags[0] ?? "",
  }));
  return { operations, levels: views.levels, newest: views.newest };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
