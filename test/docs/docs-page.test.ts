import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { ContractDocument, Schema } from "../../src/contract/rest/document.js";
import { renderPage } from "../../src/docs/page.js";
import { restPage } from "../../src/docs/rest-page.js";
import { listRows } from "../../src/docs/schema-table.js";
import { hostileTexts } from "../report/hostile-texts.js";
import { usePages } from "../report/html/use-pages.js";
import { makeFolder, museum } from "../support/museum.js";
import { needing } from "../support/needing.js";
import { runAccordIn } from "../support/run-accord.js";

const contracts = fileURLToPath(new URL("../contracts/", import.meta.url));

/** Writes the page of a contract of `test/contracts`. */
async function pageOf(name: string): Promise<string> {
  const file = join(makeFolder({}), "page.html");
  const args = ["docs", name, "--project", join(contracts, name, "accord.yaml"), "--output", file];
  expect(await runAccordIn(contracts, ...args)).toMatchObject({ code: 0 });
  return readFileSync(file, "utf8");
}

/** A contract whose every text is the same. */
function contractOf(text: string): Parameters<typeof restPage>[0] {
  const { get } = museum.paths["/artworks"];
  const rules = [{ id: text, text, source: text, gap: text }];
  const schema = {
    type: "object",
    description: text,
    properties: { [text]: { type: "string", enum: [text], default: text } },
  };
  const parameters = [{ name: text, in: "query", description: text, schema: { type: "string" } }];
  const operation = { ...get, operationId: text, summary: text, description: text, parameters, "x-rules": rules };
  const document = {
    ...{ ...museum, info: { title: text, version: text, description: text } },
    paths: { [`/${text}`]: { get: operation } },
    ...{ components: { ...museum.components, schemas: { [text]: schema } }, "x-rules": rules },
  };
  return {
    ...{ name: "a", document: document as never, states: { "x-states": { [text]: { description: text } } } },
    ...{ workflows: [{ id: `workflow ${text}`, summary: text, rules: [text], steps: [] } as never], newestLevel: 0 },
  };
}

const { describe } = needing("chromium");

describe("the page of a contract", () => {
  const show = usePages();

  it("shows operations, rules by strength, cases, workflows, states and schemas, and finds them", async () => {
    const page = await show(await pageOf("museum"), { hash: "#operation-listExhibits" });
    const operation = page.locator("#operation-listExhibits");
    for (const text of ["GET", "/exhibits", "Parameters", "400", "exhibits.list.rooms required"])
      expect(await operation.textContent()).toContain(text);
    expect(await page.locator("nav > details > details > summary").allTextContents()).toEqual(
      expect.arrayContaining(["exhibits", "Workflows", "Provider states", "Schemas"]),
    );
    const links = await page
      .locator('a[href^="#"]')
      .evaluateAll((all) =>
        all.flatMap((link) =>
          document.getElementById(decodeURIComponent((link as HTMLAnchorElement).hash.slice(1)))
            ? []
            : [link.outerHTML],
        ),
      );
    expect(links).toEqual([]);
    await page.keyboard.press("/");
    await page.keyboard.type("buytickets");
    expect(await page.locator("#operation-listExhibits").isVisible()).toBe(false);
    expect(await page.locator("#operation-buyTickets").isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it("shows RPCs with their comments, messages and cases", { timeout: 60_000 }, async () => {
    const page = await show(await pageOf("library"));
    const text = await page.locator("main").textContent();
    for (const part of ["Loans/Borrow", "Lends a book.", "library.loans.v1.BorrowRequest", "In seconds."])
      expect(text).toContain(part);
  });

  it("makes no element of a text", async () => {
    const page = await show(renderPage(restPage(contractOf("Monet"))));
    const foreign = "img,iframe,object,embed,base,body style,body link,body meta,[onload],[onerror],[onclick]";
    for (const text of hostileTexts) {
      const found = await page.evaluate(
        ([markup = "", selector = ""]) => {
          const parsed = new DOMParser().parseFromString(markup, "text/html");
          const links = [...parsed.querySelectorAll("a")].filter((link) =>
            /^\s*(?:javascript|data|vbscript):/i.test(link.href),
          );
          return [...parsed.querySelectorAll(selector), ...links].map(({ outerHTML }) => outerHTML);
        },
        [renderPage(restPage(contractOf(text))), foreign],
      );
      expect(found, text).toEqual([]);
    }
  });
});

it("lists the members of a schema that contains itself without a name", () => {
  const node = {
    type: "object",
    properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/A/items" } },
  };
  const document = { openapi: "3.1.0", paths: {}, components: { schemas: { A: { type: "array", items: node } } } };
  const names = listRows(document as unknown as ContractDocument, node as Schema).map(({ name }) => name);
  expect(names).toEqual(["name", "next"]);
});
