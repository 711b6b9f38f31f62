import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Locator, type LocatorDetail, parseSource } from "../../scripts/source-locators.js";
import { loadContract } from "../../src/chat/contract.js";
import { listAllRules } from "../../src/contract/rest/rules.js";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import { hasDocuments, readDocument, type Section, sectionsOf } from "./documents.js";
import { markdownTables } from "./markdown-tables.js";

const contract = await loadContract();
const daemonCases = await loadDaemonCases();
const daemonRules = [...daemonCases.rules, ...daemonCases.clientRules];
const chat = listAllRules(contract);

describe.each([
  ["chat", chat],
  ["daemon", daemonRules],
] as const)("the rules of %s", (_, rules) => {
  it("name their sources", () => {
    expect(rules.filter(({ source }) => source === undefined).map(({ id }) => id)).toEqual([]);
    for (const { source = "" } of rules) expect(parseSource(source).length).toBeGreaterThan(0);
  });
});

// The rest needs the requirement documents: ACCORD_REQUIREMENTS names their folder.
describe.skipIf(!hasDocuments).each([
  ["chat", chat],
  ["daemon", daemonRules],
] as const)("the rules of %s, compared with the requirements", (document, rules) => {
  const markdown = readDocument(document);
  const sections = sectionsOf(markdown);

  it("name places that exist", () => {
    const missing = rules.flatMap(({ id, source = "" }) =>
      parseSource(source).flatMap((locator) => missingIn(sections, locator).map((what) => `${id}: ${what}`)),
    );
    expect(missing).toEqual([]);
  });

  it("are in our own words", () => {
    const stated = plain(markdown);
    const copied = rules.filter(({ text }) => stated.includes(plain(text).trim()));
    expect(copied.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  });
});

describe.skipIf(!hasDocuments)("generated/guides/open-questions.md", () => {
  const markdown = readFileSync(new URL("../../generated/guides/open-questions.md", import.meta.url), "utf8");
  const documents = { chat: sectionsOf(readDocument("chat")), daemon: sectionsOf(readDocument("daemon")) };

  it("names places that exist", () => {
    const missing = markdownTables(markdown).flatMap(({ headings, rows }) =>
      rows.flatMap((row) => {
        const sections = documents[headings[0]?.startsWith("Daemon") ? "daemon" : "chat"];
        const source = row["Where in the requirements"] ?? "";
        return parseSource(source).flatMap((locator) => missingIn(sections, locator));
      }),
    );
    expect(missing).toEqual([]);
  });
});

/** Describes the parts of a locator that the document lacks. */
function missingIn(sections: readonly Section[], { heading, details }: Locator): string[] {
  const section = sections.find((candidate) => candidate.heading === heading);
  if (section === undefined) return [`no heading ${heading}`];
  return details
    .filter((detail) => !has(section, detail))
    .map((detail) => `${heading} lacks ${JSON.stringify(detail)}`);
}

function has({ text, title }: Section, detail: LocatorDetail): boolean {
  const tables = markdownTables(text);
  switch (detail.kind) {
    case "rule":
      return new RegExp(`^${detail.number}\\. `, "m").test(text);
    case "item":
      return (text.match(/^- /gm) ?? []).length >= detail.number;
    case "row":
      return tables.some(({ rows }) => rows.length >= detail.number);
    case "level":
      return tables.some(({ rows }) => rows.some((row) => levelsOf(row["Feature level"]).includes(detail.number)));
    case "name":
      return text.includes(`\`${detail.name}\``) || new RegExp(`\\b${detail.name}\\b`).test(`${title}\n${text}`);
    case "entry":
      return tables.some(({ columns, rows }) => rows.some((row) => row[columns[0] ?? ""] === detail.name));
    case "response":
      return /\bresponse\b/i.test(text);
    case "errors":
      return /\berrors?\b/i.test(text);
  }
}

function levelsOf(cell = ""): number[] {
  return cell.split(" / ").map(Number);
}

/** Lower-case words without punctuation and markup. */
function plain(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, " ")
    .trim()} `;
}
