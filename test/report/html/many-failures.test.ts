import { beforeAll, expect, it } from "vitest";
import { formatHtml } from "../../../src/report/html/format-html.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { needing } from "../../support/needing.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "../sample-report.js";
import { usePages } from "./use-pages.js";
import { withFailures } from "./with-failures.js";

const { describe } = needing("chromium");

const show = usePages();
let whole: VerifyReport;
beforeAll(async () => {
  whole = await sampleReport({ probes: 40 });
});

describe("the list of failures", () => {
  it.each([0, 1, 26, 770])("comes first, and stays short with %i failures", async (count) => {
    const report = withFailures(whole, count);
    expect(report.checks.length).toBeGreaterThan(770);
    const page = await show(formatHtml(report));
    const parts = await page.locator("main > section").evaluateAll((all) => all.map(({ id }) => id));
    expect(parts).toEqual([...(count === 0 ? [] : ["failures"]), "rules", "checks"]);
    expect(await page.locator("#failures .card").count()).toBe(count);
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 900 });
      const size = await page.evaluate(() => ({
        failures: document.getElementById("failures")?.offsetHeight ?? 0,
        page: document.documentElement.scrollHeight,
        width: document.documentElement.scrollWidth,
      }));
      expect(size.failures).toBeLessThan(count === 26 ? 6000 : 3000);
      expect(size.page).toBeLessThan(20_000);
      expect(size.width).toBeLessThanOrEqual(width);
    }
  });

  it("groups failures by the first rule that they broke, with its text, their number and the first problem", async () => {
    const failed = (name: string, rules: readonly string[], outcome: CheckOutcome = failing) =>
      sampleCheck({ id: `case editMessage/${name}`, rules, outcome });
    const errored = { kind: "errored", reason: "The server is gone", trace: [] } as const;
    const checks = [
      failed("lost", [], errored),
      failed("stale", [], { kind: "passed" }),
      failed("schema", ["not.of.the.report"], { ...failing, problems: ["it is not JSON"] }),
      failed("a", ["messages.edit.content"]),
      failed("b", ["users.me.email"]),
      failed("c", ["messages.edit.content", "users.me.email"]),
      failed("d", ["messages.edit.content", "users.me.email"], { ...failing, broken: ["users.me.email"] }),
      failed("gone", [], errored),
    ];
    const knownFailing = new Map([["case editMessage/stale", "Issue 1"]]);
    const page = await show(formatHtml(smallReport({ checks, knownFailing })));
    const groups = await page.locator("#failures .topic").evaluateAll((all) =>
      all.map((group) => ({
        says: [...(group.querySelector("summary")?.children ?? [])].map(({ textContent }) => textContent),
        has: [...group.querySelectorAll(".card > summary code")].map(({ textContent }) => textContent),
      })),
    );
    const names = (...all: readonly string[]) => all.map((name) => `case editMessage/${name}`);
    const [problem] = failing.problems;
    expect(groups).toEqual([
      { says: ["messages.edit.content", "The content can be changed.", "2 failed", problem], has: names("a", "c") },
      { says: ["users.me.email", "The answer has the email address.", "2 failed", problem], has: names("b", "d") },
      { says: ["editMessage", "1 failed", "it is not JSON"], has: names("schema") },
      {
        says: [
          "case editMessage/stale",
          "It is listed as known to fail, but passes. Remove it from the list.",
          "1 passed unexpectedly",
        ],
        has: names("stale"),
      },
      {
        says: ["case editMessage/lost", "The content of a message", "2 could not run", "The server is gone"],
        has: names("lost", "gone"),
      },
    ]);
    const also = page.locator('.card:has(> summary code:text-is("case editMessage/c")) .ofcheck');
    expect(await also.textContent()).toContain("users.me.email");
    expect(await also.textContent()).not.toContain("messages.edit.content");
  });

  it("is grouped by resource if many rules are broken", async () => {
    const page = await show(formatHtml(withFailures(whole, 770)));
    const parts = page.locator("#failures > .group");
    expect(await parts.count()).toBeGreaterThan(5);
    expect(await page.locator("#failures details.card:visible").count()).toBe(0);
    await parts.first().locator("> summary").click();
    const most = parts.first().locator(".topic").first();
    await most.locator("> summary").click();
    expect(await most.locator(".card:visible").count()).toBe(await most.locator(".card").count());
  });

  it("shows all of them without scripts", async () => {
    const page = await show(formatHtml(withFailures(whole, 770)), { javaScriptEnabled: false });
    const group = page.locator("#failures > .group").first();
    await group.locator("> summary").click();
    await group.locator(".topic > summary").first().click();
    expect(await group.locator(".card > summary").first().isVisible()).toBe(true);
  });

  it("lists up to five with their rule, and links to the next", async () => {
    const checks = [..."abcdefgh"].map((name) => sampleCheck({ id: `case editMessage/${name}`, outcome: failing }));
    const page = await show(formatHtml(smallReport({ checks })));
    const links = page.locator('[id="rule-messages.edit.content"] .failing a');
    expect(await links.allInnerTexts()).toEqual([
      ...[..."abcde"].map((name) => `case editMessage/${name}`),
      "3 more checks",
    ]);
    await links.last().click();
    await page.locator("#check-case-editMessage-f .body").waitFor({ state: "visible" });
  });
});

describe("the search", () => {
  const problems = ["/messages/0: must have `sender_id`", "expected status 400"];
  const report = smallReport({
    checks: [
      sampleCheck({ id: "case editMessage/a", outcome: { kind: "failed", problems, trace: [sampleExchange] } }),
      sampleCheck({
        id: "case editMessage/b",
        outcome: { kind: "skipped", reason: "it needs the wonderful uploads" },
      }),
      sampleCheck({
        id: "case editMessage/c",
        outcome: { kind: "errored", reason: "It broke off", help: "Start it anew", trace: [] },
      }),
      sampleCheck({ id: "case editMessage/d" }),
    ],
    knownFailing: new Map([
      ["case editMessage/a", "Ticket 99"],
      ["case editMessage/nowhere", "Ticket 98"],
    ]),
  });

  it.each([
    ["must have sender_id", "a"],
    ["must have `sender_id`", "a"],
    ["status 400", "a"],
    ["Ticket 99", "a"],
    ["wonderful", "b"],
    ["broke OFF", "c"],
    ["anew", "c"],
  ])("finds checks by their problems, reasons and help: %s", async (words, name) => {
    const page = await show(formatHtml(report));
    await page.fill("#search", words);
    expect(await page.locator("#checks li:not([hidden]) .id").allTextContents()).toEqual([`case editMessage/${name}`]);
    expect(await page.locator("#nothing").isVisible()).toBe(false);
    expect(await page.locator("#failures .card:visible").count()).toBe(name === "b" ? 0 : 1);
    if (name !== "b") expect(await page.locator("#failures .card .body:visible").count()).toBe(1);
  });

  it("finds known-failing entries that match no check", async () => {
    const page = await show(formatHtml(report));
    await page.fill("#search", "Ticket 98");
    expect(await page.locator("#failures .topic:visible").innerText()).toContain("case editMessage/nowhere");
    expect(await page.locator("#nothing").isVisible()).toBe(false);
    await page.fill("#search", "Ticket 99");
    expect(await page.getByText("case editMessage/nowhere").isVisible()).toBe(false);
  });

  it("says that nothing was found, until it is reset", async () => {
    const page = await show(formatHtml(report));
    await page.fill("#search", "no such words");
    expect(await page.locator("main").innerText()).toBe("Nothing found.");
    await page.locator("#reset").click();
    expect(await page.locator("#nothing").isVisible()).toBe(false);
    expect(await page.locator("#failures .topic:visible").count()).toBe(3);
  });

  it("expands the groups of a few results, and collapses them again", async () => {
    const page = await show(formatHtml(withFailures(whole, 770)));
    const visible = page.locator("#failures details.card:visible");
    await page.fill("#search", "case editMessage/");
    const found = await page.locator("#failures details.card:not([hidden])").count();
    expect(found).toBeGreaterThan(10);
    expect(found).toBeLessThan(150);
    expect(await visible.count()).toBe(found);
    await page.fill("#search", "expected status 400");
    expect(await visible.count()).toBe(0);
    await page.fill("#search", "");
    expect(await visible.count()).toBe(0);
  });
});
