import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { siteFolder } from "../../site/site-folders.js";
import { loadContract } from "../../src/chat/contract.js";
import { listAllRules } from "../../src/contract/rest/rules.js";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";

const pages = new Map(
  readdirSync(siteFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => relative(siteFolder, join(entry.parentPath, entry.name)))
    .map((path) => [path, readFileSync(join(siteFolder, path), "utf8")] as const),
);
const ids = new Map(
  [...pages].map(([path, text]) => [path, [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => unescaped(id))]),
);

function unescaped(text: string): string {
  return text.replaceAll("&amp;", "&").replaceAll("&#39;", "'").replaceAll("&quot;", '"');
}

/** The page and the id to which a link of a page leads. Undefined if it leaves the site. */
function targetOf(page: string, href: string): { readonly path: string; readonly id: string } | undefined {
  if (/^[a-z]+:/.test(href)) return undefined;
  const [address = "", id = ""] = href.split("#");
  const [path = ""] = address.split("?");
  if (path === "") return { path: page, id: decodeURIComponent(id) };
  const found = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(page), path);
  return { path: found === "" || found.endsWith("/") ? `${found}index.html` : found, id: decodeURIComponent(id) };
}

describe("the pages of the site", () => {
  it("link only to pages and anchors that exist", () => {
    const broken: string[] = [];
    for (const [page, text] of pages) {
      const hrefs = new Set([...text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => unescaped(href)));
      for (const href of hrefs) {
        const target = targetOf(page, href);
        if (target === undefined || !/\.html$/.test(target.path)) continue;
        const known = ids.get(target.path);
        if (known === undefined || (target.id !== "" && !known.includes(target.id))) broken.push(`${page}: ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("have one anchor for each rule of both contracts", async () => {
    const rules = [
      ...listAllRules(await loadContract()),
      ...(await loadDaemonCases()).rules,
      ...(await loadDaemonCases()).clientRules,
    ];
    const anchors = [...ids.values()].flat();
    const counts = rules.map(({ id }) => [id, anchors.filter((anchor) => anchor === `rule-${id}`).length] as const);
    expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it("repeat no anchor", () => {
    const repeated = [...ids].flatMap(([page, all]) =>
      all.filter((id, index) => all.indexOf(id) !== index).map((id) => `${page}: ${id}`),
    );
    expect(repeated).toEqual([]);
  });

  it("load nothing from other machines", () => {
    const foreign = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="((?:https?:)?\/\/[^"]*)"/g)].map(
        ([, url]) => `${page}: ${url}`,
      ),
    );
    expect(foreign).toEqual([]);
  });

  it("have a rule for each operation of the chat API", () => {
    const operations = [...pages.keys()].filter(
      (path) => /^chat\/\w+\.html$/.test(path) && !path.endsWith("index.html"),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(operations.filter((path) => !ids.get(path)?.some((id) => id.startsWith("rule-")))).toEqual([]);
  });
});
