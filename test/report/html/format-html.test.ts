import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { formatHtml } from "../../../src/report/html/format-html.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import type { RuleState } from "../../../src/report/model/verdict.js";
import type { VerifyReport } from "../../../src/report/model/verify-report.js";
import { needing } from "../../support/needing.js";
import { hostileReport } from "../hostile-report.js";
import { sampleCheck, sampleExchange, sampleReport, smallReport, unfinishedReport } from "../sample-report.js";
import { lowContrast } from "./low-contrast.js";
import { usePages } from "./use-pages.js";

const { describe } = needing("chromium");

const show = usePages();
let whole: VerifyReport;
let wholePage: string;
let states: Readonly<Record<RuleState, number>>;
beforeAll(async () => {
  whole = await sampleReport();
  wholePage = formatHtml(whole);
  states = toJsonReport(whole).totals.rules;
});

/** The id of the focused element or of its closest ancestor with an id. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.closest("[id]")?.id);

const failed = "check-case-addDefaultChannel-by_owner";

describe("the head of the page", () => {
  it("shows the verdict, the facts of the run, and the counts", async () => {
    const page = await show(wholePage);
    expect(await page.title()).toBe("FAIL: chat at http://127.0.0.1:4011/api/v1");
    const head = await page.locator("header").innerText();
    for (const part of [
      "FAIL",
      `${states.broken} rules broken`,
      "chat 0.1.0",
      "379",
      "42",
      "2026-03-01 10:20:30 UTC",
      "12.3 s",
      `${whole.checks.length.toLocaleString("en-US")} checks`,
      `${whole.rules.length} rules`,
    ]) {
      expect(head).toContain(part);
    }
  });

  it.each([
    ["PASS", smallReport()],
    ["COULD NOT RUN", smallReport({ checks: [] })],
    ["PASS", smallReport({ rules: [] })],
    ["INCONCLUSIVE", smallReport({ checks: [sampleCheck({ outcome: { kind: "passed", shown: [] } })] })],
    ["STOPPED", smallReport({ stopped: true, partial: true })],
  ])("says %s, even without failures, rules or checks", async (word, report) => {
    const page = await show(formatHtml(report));
    expect(await page.locator("h1").innerText()).toContain(word);
    expect(await page.locator("#failures").count()).toBe(0);
  });
});

describe("the toolbar", () => {
  it("finds rules by id and text, and checks by id and by the texts of their rules", async () => {
    const page = await show(wholePage);
    const rules = page.locator(".rule:visible");
    for (const search of ["messages.edit.content-with-stream", "a request with BOTH `content`"]) {
      await page.fill("#search", search);
      expect(await rules.count()).toBe(1);
      expect(await rules.first().getAttribute("id")).toBe("rule-messages.edit.content-with-stream");
    }
    expect(await page.locator("#checks li:visible").allInnerTexts()).toContainEqual(
      expect.stringContaining("case editMessage/content_with_channel"),
    );
    await page.fill("#search", "case editMessage/content_with_channel");
    expect(await page.locator("#found").innerText()).toMatch(/ rules, 1 of [\d,]+ checks$/);
    expect(await page.locator("#checks li:not([hidden])").count()).toBe(1);
    expect(await page.locator("#checks .group:visible").count()).toBe(1);
    await page.fill("#search", "nothing has these words");
    expect(await page.locator("#found").innerText()).toMatch(/^0 of [\d,]+ rules, 0 of [\d,]+ checks$/);
    expect(await page.locator("main").innerText()).toBe("Nothing found.");
    expect(await page.locator("main section:visible").count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(
      await page.locator(".rule").evaluateAll((all) => all.filter((rule) => (rule as HTMLElement).hidden).length),
    ).toBe(0);
  });

  it("filters by outcome, together with the search", async () => {
    const page = await show(wholePage);
    const chip = (name: RegExp) => page.locator("#toolbar").getByRole("button", { name });
    const lit = page.locator("#checks li:not([hidden])");
    await chip(/^failed 3$/).click();
    expect(await lit.evaluateAll((lines) => lines.map(({ dataset }) => dataset.verdict))).toEqual(
      Array(3).fill("failed"),
    );
    expect(await page.locator("details.card:visible").count()).toBe(3);
    const failed = whole.checks.filter(({ outcome }) => outcome.kind === "failed");
    const visible = await page.locator(".rule:visible").allInnerTexts();
    expect(visible).not.toEqual([]);
    expect(visible.filter((text) => !failed.some(({ id }) => text.includes(id)))).toEqual([]);
    await chip(/^could not run 1$/).click();
    expect(await lit.count()).toBe(4);
    await page.fill("#search", "editMessage");
    expect(await lit.locator(".id").allTextContents()).toEqual(["case editMessage/longest_topic"]);
    await chip(/^Show all$/).click();
    expect(await lit.count()).toBe(whole.checks.length);
    await page.fill("#search", "probe ");
    expect(await lit.count()).toBe(whole.checks.filter(({ kind }) => kind === "probe").length);
  });

  it("filters rules by state, and keeps the toggles visible", async () => {
    const page = await show(wholePage);
    const chip = (name: RegExp) => page.locator("#states").getByRole("button", { name });
    await chip(new RegExp(`^broken ${states.broken}$`)).click();
    expect(await page.locator(".rule:visible .badge").allInnerTexts()).toEqual(Array(states.broken).fill("broken"));
    await chip(new RegExp(`^broken ${states.broken}$`)).click();
    await chip(/^untestable/).click();
    await page.fill("#search", "case ");
    expect(await page.locator(".rule:visible").count()).toBe(0);
    expect(await chip(/^untestable/).isVisible()).toBe(true);
  });

  it("focuses the search field with the slash key", async () => {
    const page = await show(wholePage);
    await page.keyboard.press("/");
    await page.keyboard.type("a/b");
    expect(await page.inputValue("#search")).toBe("a/b");
  });
});

describe("a check on the page", () => {
  it("shows the rule, problems, command, request and response of a failure", async () => {
    const page = await show(wholePage);
    const text = await page.locator(`#${failed}`).innerText();
    const { command, request, response = "" } = sampleExchange;
    for (const part of [
      "default-channels.add.added",
      "An added channel is a default channel.",
      "expected status 400, got 200",
      command,
      request,
      response,
      "--only 'case addDefaultChannel/by_owner' --seed 42",
    ]) {
      expect(text.replace(/\s+/g, " ")).toContain(part.replace(/\s+/g, " "));
    }
    expect(await page.locator('[id="rule-default-channels.add.added"]').textContent()).toContain(
      "Source: Add a default channel; States and transitions, row 6",
    );
  });

  it("opens if the address points to it, even if it is folded or filtered out", async () => {
    const page = await show(wholePage, { hash: "#check-case-editMessage-content_with_channel" });
    const folded = page.locator("#check-case-editMessage-content_with_channel");
    expect(await folded.isVisible()).toBe(true);
    expect(await focused(page)).toBe("check-case-editMessage-content_with_channel");
    await page.fill("#search", "getMessages");
    expect(await folded.isVisible()).toBe(false);
    await page.evaluate(() => {
      location.hash = "#check-case-editMessage-longest_topic";
    });
    const card = page.locator("#check-case-editMessage-longest_topic");
    await card.locator(".body").waitFor({ state: "visible" });
    expect(await page.inputValue("#search")).toBe("");
    await card.locator("summary").first().click();
    await page.locator("#operation-editMessage > summary").click();
    await page.locator('#checks a[href="#check-case-editMessage-longest_topic"]').click();
    await card.locator(".body").waitFor({ state: "visible" });
  });

  it.each(["#", "#nothing", "#%E0%A4%A", "#constructor"])("ignores the fragment %s", async (hash) => {
    const page = await show(formatHtml(smallReport()), { hash });
    expect(await page.locator("#toolbar").isVisible()).toBe(true);
  });

  it("copies its command", async () => {
    const page = await show(wholePage, { permissions: ["clipboard-read", "clipboard-write"] });
    const button = page.locator(`#${failed} .exchange .copy`);
    await button.click();
    await page.waitForFunction((copy) => copy?.textContent === "Copied", await button.elementHandle());
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sampleExchange.command);
  });

  it("selects its command if the clipboard is not writable", async () => {
    const page = await show(wholePage, { before: "delete Navigator.prototype.clipboard" });
    const button = page.locator(`#${failed} .exchange .copy`);
    await button.click();
    await page.waitForFunction((copy) => copy?.textContent === "Selected", await button.elementHandle());
    expect(await page.evaluate(() => String(getSelection()))).toBe(sampleExchange.command);
  });

  it("has an address of its own beside checks with similar names", async () => {
    const checks = ["case a/b", "case a b", "case-a-b"].map((id) => sampleCheck({ id }));
    const page = await show(formatHtml(smallReport({ checks })));
    const ids = await page.locator("#checks li").evaluateAll((lines) => lines.map(({ id }) => id));
    expect(ids).toEqual(["check-case-a-b", "check-case-a-b~2", "check-case-a-b~3"]);
  });
});

describe("the page", () => {
  it("is readable without scripts", async () => {
    const page = await show(wholePage, { javaScriptEnabled: false });
    expect(await page.locator("#toolbar").isVisible()).toBe(false);
    expect(await page.locator(".copy:visible").count()).toBe(0);
    expect(await page.locator(`#${failed} .problems`).innerText()).toContain("expected status 400, got 200");
    expect(await page.locator("#checks li").count()).toBe(whole.checks.length);
    expect(await page.locator(".rule").count()).toBe(whole.rules.length);
    await page.locator('#rules summary:has-text("subscriptions")').click();
    expect(await page.locator(".rule:visible").first().isVisible()).toBe(true);
    await page.locator("#operation-addDefaultChannel > summary").click();
    await page.locator(`#checks a[href="#${failed}"]`).click();
    expect(page.url()).toContain(`#${failed}`);
  });

  it.each(["light", "dark"] as const)(
    "has sufficient contrast in the %s colour scheme with operations",
    async (colorScheme) => {
      const page = await show(formatHtml(unfinishedReport), { colorScheme });
      expect((await lowContrast(page)).tooLow).toEqual([]);
    },
  );

  it.each(["light", "dark"] as const)("has sufficient contrast in the %s colour scheme", async (colorScheme) => {
    const page = await show(wholePage, { colorScheme, hash: "#rule-messages.edit.content-with-stream" });
    await page.locator("#states .chip").first().click();
    await page.locator("#states .chip").first().click();
    await page.locator("#toolbar .chip").last().click();
    await page.locator("#toolbar .chip").last().click();
    await page
      .locator("#toolbar .chip")
      .first()
      .evaluate((chip) => chip.setAttribute("aria-pressed", "true"));
    const { seen, tooLow } = await lowContrast(page);
    expect(seen).toBeGreaterThan(3000);
    expect(tooLow).toEqual([]);
    const grounds = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(grounds).toBe(colorScheme === "light" ? "rgb(246, 246, 243)" : "rgb(20, 23, 26)");
  });

  it.each([
    ["a whole run", () => wholePage],
    ["operations that are not finished", () => formatHtml(unfinishedReport)],
    ["words of 3000 letters", () => formatHtml(hostileReport("x".repeat(3000)))],
  ])("needs no horizontal scrolling at 360 pixels with %s", async (_, html) => {
    const page = await show(html(), { viewport: { width: 360, height: 800 } });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
      // Content far below is laid out only when it is visible.
      for (const line of document.querySelectorAll("li")) line.style.contentVisibility = "visible";
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it("breaks no number at 390 pixels", async () => {
    const operations = (unfinishedReport.operations ?? []).map((one) => ({ ...one, id: `${one.id}WithALongName` }));
    const rules = Array.from({ length: 1234 }, (_, at) => ({ id: `messages.r${at}`, text: "", resource: "messages" }));
    const report = { ...unfinishedReport, operations, rules: [...unfinishedReport.rules, ...rules] };
    const page = await show(formatHtml(report), { viewport: { width: 390, height: 800 } });
    const broken = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const match of (node.nodeValue ?? "").matchAll(/\d[\d,.]*/g)) {
          const range = document.createRange();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(match[0]);
        }
      }
      return found;
    });
    expect(broken).toEqual([]);
  });

  it("opens its failures and hides its controls for printing", async () => {
    const page = await show(wholePage);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("details.card:not([open])").count()).toBe(0);
    expect(await page.locator("#toolbar").isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await page.locator("details.card:not([open])").count()).toBeGreaterThan(0);
  });

  it("shows and filters 5,000 checks", async () => {
    const report = await sampleReport({ probes: 220 });
    expect(report.checks.length).toBeGreaterThan(5000);
    const page = await show(formatHtml(report));
    expect(await page.locator("#checks li").count()).toBe(report.checks.length);
    await page
      .locator("#toolbar")
      .getByRole("button", { name: /^failed/ })
      .click();
    expect(await page.locator("#checks li:not([hidden])").count()).toBe(3);
    await page.locator("#reset").click();
    await page.fill("#search", "parameter 219");
    expect(await page.locator("#checks li:not([hidden])").count()).toBe(22);
    expect(await page.locator("#checks li:visible").count()).toBe(22);
  });

  it("is deterministic", async () => {
    expect(formatHtml(await sampleReport())).toBe(wholePage);
  });
});
