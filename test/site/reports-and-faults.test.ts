import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatJson } from "../../src/verify/report/format-json.js";
import type { VerifyReport } from "../../src/verify/verify-report.js";
import { needing } from "../support/needing.js";
import { hostileReport } from "../verify/report/hostile-report.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../verify/report/sample-report.js";
import { findCutOff, findViolations } from "./find-violations.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();
const whole = await sampleReport();

function file(name: string, report: VerifyReport) {
  return { name, mimeType: "application/json", buffer: Buffer.from(formatJson(report)) };
}

const choose = (page: Page, ...files: readonly ReturnType<typeof file>[]) =>
  page.locator(".drop input").setInputFiles([...files]);

describe("the page of reports", () => {
  it.each([
    ["on its zone", ".drop"],
    ["beside its zone", "h1"],
  ])("shows a report that is dropped %s, with links to the rules", async (_, place) => {
    const page = await site.visit("reports.html");
    await page.locator(".drop").waitFor();
    const transfer = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "report.json", { type: "application/json" }));
      return data;
    }, formatJson(whole));
    await page.dispatchEvent(place, "dragover", { dataTransfer: transfer });
    await page.dispatchEvent(place, "drop", { dataTransfer: transfer });
    await page.locator(".report-rules").waitFor();
    expect(await page.locator(".run-verdict").textContent()).toContain("FAIL");
    expect(await page.locator(".report-head").textContent()).toContain(`${whole.rules.length} rules`);
    const card = page.locator(".check-card", { hasText: "case addDefaultChannel/by_owner" });
    await card.locator("summary").first().click();
    expect(await card.textContent()).toContain("expected status 400, got 200");
    expect(await card.locator("pre").first().textContent()).toMatch(/^curl -X PATCH/);
    await card.getByRole("link", { name: "default-channels.add.added" }).click();
    await page.waitForURL(/chat\/addDefaultChannel(\.html)?#rule-default-channels\.add\.added$/);
    await page.locator("[id='rule-default-channels.add.added']").waitFor();
  });

  it("filters by state and by text", async () => {
    const page = await site.visit("reports.html");
    await choose(page, file("report.json", whole));
    await page.getByRole("button", { name: /kept$/ }).click();
    const badges = await page.locator(".report-rule-list .badge").allTextContents();
    expect(badges).not.toContain("kept");
    expect(badges).toContain("broken");
    await page.getByRole("searchbox", { name: "Filter" }).fill("by_owner");
    expect(await page.locator(".check-card").count()).toBe(1);
  });

  it("compares two reports in the order of their times", async () => {
    const broken = sampleCheck({ outcome: failing });
    const [before, after] = [smallReport(), smallReport({ checks: [broken], startedAt: "2026-03-02T10:20:30.400Z" })];
    const page = await site.visit("reports.html");
    await choose(page, file("later.json", after), file("earlier.json", before));
    await page.locator(".comparison").waitFor();
    expect(await page.locator(".report-head code").allTextContents()).toEqual(["earlier.json", "later.json"]);
    const changed = page.locator(".change-list.broken").first();
    expect(await changed.textContent()).toMatch(/1 newly broken.*messages\.edit\.content.*kept → broken/);
    await page.getByRole("button", { name: "Remove later.json" }).click();
    expect(await page.locator(".comparison").count()).toBe(0);
    await choose(page, file("other.json", smallReport({ contract: "daemon" })));
    expect(await page.locator(".banner.problem").textContent()).toContain("the other about the daemon contract");
  });

  it("shows hostile texts as text, and says why a file is not a report", async () => {
    const hostile = "</script><img src=x onerror=alert(1)>{{ 7 * 6 }}";
    const page = await site.visit("reports.html");
    await choose(page, file("hostile.json", hostileReport(hostile)));
    await page.locator(".report-rules").waitFor();
    for (const summary of await page.locator(".check-card > summary").all()) await summary.click();
    expect(await page.locator(".reports img").count()).toBe(0);
    expect(await page.locator(".reports").textContent()).toContain(hostile);
    await page
      .locator(".drop input")
      .setInputFiles({ name: "r.html", mimeType: "text/html", buffer: Buffer.from("<p>") });
    expect(await page.locator(".banner.problem").textContent()).toMatch(/^r\.html: It is not JSON/);
    expect(await page.locator(".report-rules").count()).toBe(1);
  });

  it("is accessible in light and dark mode, and fits on a phone", async () => {
    const page = await site.visit("reports.html");
    expect(await findViolations(page)).toEqual([]);
    const later = { ...whole, startedAt: "2030-01-01T00:00:00.000Z", checks: whole.checks.slice(200) };
    await choose(page, file("a.json", whole), file("b.json", later));
    await page.locator(".comparison").waitFor();
    await page.locator(".check-card > summary").first().click();
    expect(await findCutOff(page)).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  });
});

describe("the map of faults", () => {
  const visibleRows = (page: Page) => page.locator("details.faults tbody tr:visible").count();

  it("filters by text and by the tool that missed a fault", async () => {
    const page = await site.visit("guides/faults.html");
    await page.getByRole("searchbox", { name: "Filter" }).fill("fraction-as-id");
    await page.locator(".filters .hint", { hasText: "1 shown" }).waitFor();
    expect(await visibleRows(page)).toBe(1);
    await page.getByRole("searchbox", { name: "Filter" }).fill("");
    await page.getByRole("combobox", { name: "Family" }).selectOption("Status");
    await page.getByRole("combobox", { name: "Missed by" }).selectOption("accord verify");
    await page.locator(".filters .hint", { hasText: "1 shown" }).waitFor();
    expect(await page.locator("details.faults tbody tr:visible").textContent()).toMatch(/missed/);
  });

  it("is readable without script", async () => {
    const page = await site.open("guides/faults.html", { javaScriptEnabled: false });
    expect(await page.locator(".heat").first().isVisible()).toBe(true);
    await page.locator("details.faults > summary").first().click();
    expect(await visibleRows(page)).toBeGreaterThan(5);
  });

  it("is accessible in light and dark mode, and fits on a phone", async () => {
    const page = await site.visit("guides/faults.html");
    await page.getByRole("combobox", { name: "Family" }).selectOption("Envelope");
    await page.locator(".filters .hint", { hasText: "shown" }).waitFor();
    expect(await findCutOff(page)).toEqual([]);
    expect(await findViolations(page)).toEqual([]);
  });
});
