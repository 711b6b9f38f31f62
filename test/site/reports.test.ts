import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatJson } from "../../src/report/model/to-json-report.js";
import type { VerifyReport } from "../../src/report/model/verify-report.js";
import { hostileReport } from "../report/hostile-report.js";
import { failing, sampleCheck, sampleReport, smallReport } from "../report/sample-report.js";
import { needing } from "../support/needing.js";
import { findCutOff, findViolations } from "./find-violations.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();

async function open(): Promise<Page> {
  const page = await site.visit("reports.html");
  await page.getByLabel("Earlier report").waitFor();
  return page;
}

const file = (name: string, content: string) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(content),
});

const choose = (page: Page, label: "Report:" | "Earlier report", name: string, report: VerifyReport) =>
  page.getByLabel(label).setInputFiles(file(name, formatJson(report)));

describe("the page of reports", () => {
  it("shows a JSON report as the HTML report, with its search and its links", async () => {
    const page = await open();
    const whole = await sampleReport();
    await choose(page, "Report:", "report.json", whole);
    const report = page.frameLocator("iframe");
    await report.getByRole("heading", { level: 1, name: "FAIL" }).waitFor();
    await report.getByRole("searchbox", { name: "Search rules and checks" }).fill("by_owner");
    await report.getByText(/^\d+ of .* rules, \d+ of .* checks$/).waitFor();
    const link = report.locator("a[href^='#check-']:not(.cell):visible").first();
    const target = (await link.getAttribute("href")) ?? "";
    await link.click();
    await report.locator(`[id="${target.slice(1)}"]`).waitFor();
    expect(new URL(page.url()).pathname).toBe("/reports.html");
  });

  it("lists what changed since an earlier report", async () => {
    const page = await open();
    await choose(page, "Earlier report", "earlier.json", smallReport());
    await choose(page, "Report:", "later.json", smallReport({ checks: [sampleCheck({ outcome: failing })] }));
    const broken = page.locator("details", { hasText: "Newly broken: 2" });
    expect(await broken.locator("li").allTextContents()).toEqual([
      expect.stringMatching(/rule messages\.edit\.content: kept → broken/),
      expect.stringMatching(/check case editMessage\/content: passed → failed/),
    ]);
    await choose(page, "Earlier report", "other.json", smallReport({ contract: "daemon" }));
    await page.getByRole("alert").filter({ hasText: "One report is about the daemon contract" }).waitFor();
    expect(await broken.count()).toBe(0);
  });

  it("shows hostile texts as text, in a frame without access to the site", async () => {
    const hostile = "</script><img src=x onerror=alert(1)>{{ 7 * 6 }}";
    const page = await open();
    await choose(page, "Report:", "hostile.json", hostileReport(hostile));
    await choose(page, "Earlier report", "earlier.json", smallReport({ contract: hostileReport(hostile).contract }));
    await page.getByRole("heading", { name: "What changed" }).waitFor();
    const report = page.frameLocator("iframe");
    expect(await report.locator("body").textContent()).toContain(hostile);
    expect(await report.locator("img").count()).toBe(0);
    expect(await report.locator("body").evaluate(() => window.origin)).toBe("null");
    expect(await page.locator(".VPDoc img").count()).toBe(0);
  });

  it.each([
    ["is not JSON", "<p>", /^r\.json: It is not JSON/],
    ["is not a report", "{}", /^r\.json: It is not a report of this version/],
  ])("says that a file %s", async (_, content, problem) => {
    const page = await open();
    await page.getByLabel("Report:").setInputFiles(file("r.json", content));
    await page.getByRole("alert").filter({ hasText: problem }).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
  });

  it("is accessible in light and dark mode, and fits on a phone", async () => {
    const page = await open();
    const whole = await sampleReport();
    await choose(page, "Report:", "a.json", whole);
    await choose(page, "Earlier report", "b.json", { ...whole, checks: whole.checks.slice(200) });
    await page.getByRole("heading", { name: "What changed" }).waitFor();
    expect(await findCutOff(page)).toEqual([]);
    // The tests of the HTML report check the frame.
    await page.locator("iframe").evaluate((frame) => frame.remove());
    expect(await findViolations(page)).toEqual([]);
  });
});
