import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isEveryLevel } from "../levels/level-ranges.js";
import { writeChatIndexPage, writeConventionsPage } from "./chat/chat-index-page.js";
import { writeOperationPage } from "./chat/operation-page.js";
import { daemonPages } from "./daemon/daemon-pages.js";
import { rpcs } from "./daemon/daemon-rules.js";
import { guidePages } from "./guide-pages.js";
import { type Navigation, navigationFile } from "./navigation.js";
import { writeCodesPage } from "./reference/codes-page.js";
import { writeStatesPage } from "./reference/states-page.js";
import { operationPage, readSiteSource, type SiteSource } from "./site-source.js";
import { writeStartPage } from "./start-page.js";
import { toolPages } from "./tools/tool-pages.js";
import { workflowPages } from "./workflows/workflow-pages.js";

/**
 * Writes the source of the site into a folder: a Markdown file for each page, data files, and the navigation. Removes other files. Does not
 * touch unchanged files, so that `docs:dev` reloads changed pages only.
 */
export async function writePages(folder: string): Promise<void> {
  const source = await readSiteSource();
  const files = new Map([
    ["index.md", writeStartPage()],
    ["chat/index.md", writeChatIndexPage(source)],
    ["chat/conventions.md", writeConventionsPage(source)],
    ...(await Promise.all(
      source.operations.map(
        async (parts) => [`chat/${parts.operation.operationId}.md`, await writeOperationPage(source, parts)] as const,
      ),
    )),
    ["states.md", writeStatesPage(source)],
    ["codes.md", writeCodesPage(source)],
    ...workflowPages(source),
    ...daemonPages(source),
    ...guidePages(),
    ...toolPages(source),
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

function toNavigation({ views, operations, workflows }: SiteSource): Navigation {
  const levelled = operations.filter(({ present }) => !isEveryLevel(present));
  return {
    operations: operations.map(({ operation: { operationId, summary, tags } }) => ({
      operationId,
      summary,
      tag: tags[0] ?? "",
    })),
    levels: views.levels,
    levelledPages: Object.fromEntries(
      levelled.map(({ operation, present }) => [operationPage(operation.operationId), present]),
    ),
    rpcs: rpcs.map((rpc) => rpc.split("/")[1] ?? ""),
    resources: [...new Set(workflows.map(({ operation }) => operation))],
  };
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
