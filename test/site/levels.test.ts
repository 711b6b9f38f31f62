import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { listCases } from "../../src/contract/rest/cases.js";
import { type ContractDocument, type ResponseObject, resolve, type Schema } from "../../src/contract/rest/document.js";
import { type ListedOperation, listOperations, parametersOf } from "../../src/contract/rest/operations.js";
import { needing } from "../support/needing.js";
import { runInProcess } from "../support/run-in-process.js";
import { sampleOf } from "../support/thorough.js";
import { untilReady, useSite } from "./use-site.js";

const { describe } = needing("chromium");

const levels = [0, 1, 150, 250, 415];
const site = useSite();
const specs = new Map<number, ContractDocument>();

/** The output of `accord spec chat --feature-level`. */
async function printSpec(level: number): Promise<ContractDocument> {
  const { stdout } = await runInProcess("spec", "chat", "--format", "json", "--feature-level", String(level));
  return JSON.parse(stdout);
}

beforeAll(async () => {
  for (const level of levels) specs.set(level, await printSpec(level));
});

/** Moves the slider to a level. */
async function slideTo(page: Page, level: number): Promise<void> {
  await page.getByLabel("Server of level").fill(String(level));
}

/** The ids that a page shows at each level, by prefix, such as `rule` and `parameter`. */
async function shownIds(page: Page): Promise<Record<string, string[]>[]> {
  const perLevel = await page.evaluate(async (wanted) => {
    const slider = document.querySelector<HTMLInputElement>("#level-slider");
    if (slider === null) throw new Error("There is no slider");
    const found: string[][] = [];
    for (const level of wanted) {
      slider.value = String(level);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve));
      const shown = [...document.querySelectorAll(".contract [id]")].filter((one) => one.closest("[hidden]") === null);
      found.push(shown.map(({ id }) => id));
    }
    return found;
  }, levels);
  return perLevel.map((ids) => {
    const kinds = ["parameter", "field", "code", "rule", "case"].map((kind) => {
      const own = ids.filter((id) => id.startsWith(`${kind}-`)).map((id) => id.slice(kind.length + 1));
      return [kind, own.filter((id) => !/[.[]|-other$/.test(id) || kind === "rule" || kind === "case").sort()];
    });
    return Object.fromEntries(kinds);
  });
}

/** The expected ids on the page of an operation. */
function expectedIds(document: ContractDocument, operationId: string): Record<string, string[]> {
  const listed = listOperations(document).find(({ operation }) => operation.operationId === operationId);
  if (listed === undefined) return { parameter: [], field: [], code: [], rule: [], case: [] };
  const { operation } = listed;
  const forms = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    propertiesOf(document, schema),
  );
  return {
    parameter: [...parametersOf(document, operation).map(({ name }) => name), ...forms].sort(),
    field: responsesOf(document, listed, "2")
      .flatMap(({ schema }) => propertiesOf(document, schema))
      .sort(),
    code: errorCodes(document, listed).sort(),
    rule: (operation["x-rules"] ?? []).map(({ id }) => id).sort(),
    case: listCases(document)
      .filter((one) => one.operationId === operationId)
      .map(({ name }) => name)
      .sort(),
  };
}

function propertiesOf(document: ContractDocument, schema: Schema): string[] {
  return Object.keys(resolve<Schema>(document, schema).properties ?? {});
}

function responsesOf(document: ContractDocument, { operation }: ListedOperation, prefix: string) {
  return Object.entries(operation.responses).flatMap(([status, given]) => {
    if (!status.startsWith(prefix)) return [];
    return Object.values(resolve<ResponseObject>(document, given).content ?? {}).map(({ schema }) => ({
      status,
      schema,
    }));
  });
}

function errorCodes(document: ContractDocument, listed: ListedOperation): string[] {
  return ["4", "5", "default"].flatMap((prefix) =>
    responsesOf(document, listed, prefix).flatMap(({ status, schema }) => {
      const { anyOf = [schema] } = resolve<Schema>(document, schema);
      const codes = anyOf.map((one) => resolve<Schema>(document, one).properties?.code?.const);
      return codes.filter((code) => code !== undefined).map((code) => `${status}-${code}`);
    }),
  );
}

/** A description as a page shows it. */
function shownText(markdown: string): string {
  return markdown.replaceAll("`", "").replaceAll(/\s+/g, " ").trim();
}

describe("the level slider", () => {
  it("shows the parts of every operation that accord spec prints for the level", async () => {
    const newest = specs.get(415) as ContractDocument;
    const page = await site.visit("chat/index.html");
    const differences: string[] = [];
    for (const { operation } of sampleOf(listOperations(newest), 3)) {
      const { operationId } = operation;
      await page.goto(`${site.url()}/chat/${operationId}.html`, { waitUntil: "domcontentloaded" });
      await untilReady(page);
      for (const [index, shown] of (await shownIds(page)).entries()) {
        const wanted = expectedIds(specs.get(levels[index] ?? 0) as ContractDocument, operationId);
        if (isDeepStrictEqual(shown, wanted)) continue;
        differences.push(
          `${operationId} at ${levels[index]}: ${JSON.stringify(shown)} instead of ${JSON.stringify(wanted)}`,
        );
      }
    }
    expect(differences).toEqual([]);
  });

  it("describes parameters as of the level", async () => {
    const page = await site.visit("chat/editMessage.html");
    for (const level of levels) {
      await slideTo(page, level);
      const spec = specs.get(level) as ContractDocument;
      const { properties = {} } = spec.components.schemas.EditMessageRequest ?? {};
      for (const [name, node] of Object.entries(properties)) {
        const property = resolve<Schema>(spec, node);
        const row = shownText((await page.locator(`[id="parameter-${name}"]`).textContent()) ?? "");
        expect(row).toContain(shownText(node.description ?? property.description ?? "none"));
        const isDefault = await page.locator(`[id="parameter-${name}"] .bound`, { hasText: "default" }).count();
        expect(isDefault).toBe(property.default === undefined ? 0 : 1);
      }
    }
  });

  it("lists the operations of the level", async () => {
    const page = await site.visit("chat/index.html");
    for (const level of levels) {
      await slideTo(page, level);
      const links = page.locator(".operations li:not([hidden]) > a");
      const shown = await links.evaluateAll((all) =>
        all.map((one) => /(\w+)\.html$/.exec(one.getAttribute("href") ?? "")?.[1]),
      );
      const wanted = listOperations(specs.get(level) as ContractDocument).map(({ operation }) => operation.operationId);
      expect(shown.sort()).toEqual(wanted.sort());
    }
  });

  it("keeps the level in the address, from page to page and when the page is reloaded", async () => {
    const page = await site.visit("chat/editMessage.html?level=150");
    await expectLevel(page, 150);
    await page.getByRole("link", { name: "messages.edit.content-with-stream" }).click();
    await page.getByRole("link", { name: "Create a reminder" }).first().waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Get messages" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Get messages" }).waitFor();
    await page.waitForURL(/getMessages.*\?level=150/);
    await page.reload();
    await expectLevel(page, 150);
  });

  it("says that a server of the level lacks the operation", async () => {
    const page = await site.visit("chat/createReminder.html?level=150");
    await page.getByText("does not have this operation").waitFor();
  });

  it("says that a server of the level lacks the target of the link", async () => {
    const page = await site.visit("chat/editMessage.html?level=0#rule-messages.edit.content-with-stream");
    await page.getByText("does not have the part that the link leads to").waitFor();
    await page.getByRole("button", { name: "Show the newest level" }).click();
    await page.locator('[id="rule-messages.edit.content-with-stream"]').waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  it("is disabled until its script has loaded", async () => {
    const page = await site.open("chat/editMessage.html", { javaScriptEnabled: false });
    expect(await page.locator("#level-slider").isDisabled()).toBe(true);
  });

  it("moves with the keyboard, including from one change to the next", async () => {
    const page = await site.visit("chat/editMessage.html");
    await page.getByLabel("Server of level").press("ArrowLeft");
    await expectLevel(page, 414);
    await page.getByRole("button", { name: "Previous level" }).press("Enter");
    expect(Number(new URL(page.url()).searchParams.get("level"))).toBeLessThan(414);
  });
});

async function expectLevel(page: Page, level: number): Promise<void> {
  await page.locator(".level-bar output", { hasText: String(level) }).waitFor();
  expect(await page.getByLabel("Server of level").inputValue()).toBe(String(level));
}
