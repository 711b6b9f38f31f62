import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { listOperations } from "../../src/contract/chat/operations.js";
import { isEveryLevel, rangesWhere } from "../levels/level-ranges.js";
import { writeChatIndexPage, writeConventionsPage } from "./chat-index-page.js";
import { daemonPages } from "./daemon/daemon-pages.js";
import { rpcs } from "./daemon/daemon-rules.js";
import { guidePages } from "./guide-pages.js";
import { type Navigation, navigationFile } from "./navigation.js";
import { writeOperationPage } from "./operation-page.js";
import { operationPage, readSiteSource, type SiteSource } from "./site-source.js";
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
    ...guidePages(),
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

function toNavigation({ views, workflows }: SiteSource): Navigation {
  const operations = listOperations(views.whole).map(({ operation: { operationId, summary, tags } }) => ({
    operationId,
    summary,
    tag: tags[0] ?? "",
  }));
  const present = new Map(
    views.levels.map((level) => [
      level,
      new Set(listOperations(views.at(level)).map(({ operation }) => operation.operationId)),
    ]),
  );
  const ranges = operations.map(
    ({ operationId }) =>
      [
        operationPage(operationId),
        rangesWhere(views.levels, (level) => present.get(level)?.has(operationId) ?? false),
      ] as const,
  );
  return {
    operations,
    levels: views.levels,
    levelledPages: Object.fromEntries(ranges.filter(([, one]) => !isEveryLevel(one))),
    rpcs: rpcs.map((rpc) => rpc.split("/")[1] ?? ""),
    resources: [...new Set(workflows.map(({ resource }) => resource))],
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
