import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { formatHtml } from "../../../src/report/html/format-html.js";
import { needing } from "../../support/needing.js";
import { failing, sampleCheck, sampleExchange, sampleReport, smallReport } from "../sample-report.js";
import { usePages } from "./use-pages.js";
import { withFailures } from "./with-failures.js";

const { describe } = needing("chromium");

const show = usePages();

/** Presses a key until the focus leaves the page or returns to its start. Returns the elements that had the focus. */
async function walk(page: Page, key: "Tab" | "Shift+Tab"): Promise<string[]> {
  const stops: string[] = [];
  await page.evaluate((met) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.dataset.met = met;
  }, key);
  for (;;) {
    await page.keyboard.press(key);
    const stop = await page.evaluate((met) => {
      const at = document.activeElement;
      if (!(at instanceof HTMLElement) || at === document.body || at.dataset.met === met) return undefined;
      at.dataset.met = met;
      const name = at.ariaLabel ?? at.querySelector("h3,h4,h5")?.textContent ?? at.textContent ?? "";
      return `${at.tagName.toLowerCase()} ${(at.id === "search" ? "search" : name).trim()}`;
    }, key);
    if (stop === undefined) return stops;
    stops.push(stop);
  }
}

const report = smallReport({
  checks: [
    sampleCheck({ id: "case editMessage/a", outcome: failing, rules: ["messages.edit.content", "users.me.email"] }),
    sampleCheck({ id: "case editMessage/b", outcome: { ...failing, trace: [sampleExchange, sampleExchange] } }),
    sampleCheck({ id: "case editMessage/c", outcome: failing }),
  ],
});

describe("the keyboard", () => {
  it("reaches every control in page order with the tab key, and back", async () => {
    const page = await show(formatHtml(report));
    const stops = await walk(page, "Tab");
    const call = ["pre Command", "button Copy", "pre Request", "pre Response"];
    const again = ["pre Options that run the check again", "button Copy"];
    expect(stops).toEqual([
      ...["a Failures", "a Rules", "a Checks"],
      ...["input search", "button failed 3"],
      ...["summary messages.edit.content", "a All checks of this rule"],
      ...["summary failed case editMessage/a", "a users.me.email", ...call, ...again],
      ...["summary failed case editMessage/b", "summary 1 call before", ...call, ...again],
      "summary failed case editMessage/c",
      ...["button broken 2", "button not exercised 1", "button untestable 1"],
      "summary messages",
      ...["a", "b", "c"].map((name) => `a case editMessage/${name}`),
      ...["a", "b", "c"].map((name) => `a case editMessage/${name}: failed`),
      ...["summary users", "a case editMessage/a", "a case editMessage/a: failed"],
      "summary editMessage",
    ]);
    await page.evaluate(() => document.querySelector<HTMLElement>("#checks summary")?.focus());
    expect(await walk(page, "Shift+Tab")).toEqual([...stops].reverse().slice(1));
  });

  it("continues from the target of a link in the head", async () => {
    const page = await show(formatHtml(report));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/#failures");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("messages.edit.content");
  });

  it("moves the focus from a rule to the chosen check, and expands every section around it", async () => {
    const page = await show(formatHtml(withFailures(await sampleReport(), 300)));
    const summary = page.locator("#failures .group .topic .card summary").last();
    const id = await summary.evaluate((element) => element.closest("details")?.id);
    expect(await summary.isVisible()).toBe(false);
    const link = page.locator(`#rules a[href="#${id}"]`).first();
    await link.evaluate((element) => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>("#rules details")) details.open = true;
      element.focus();
    });
    await page.keyboard.press("Enter");
    await summary.waitFor({ state: "visible" });
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("details")?.id)).toBe(id);
    expect(await page.evaluate(() => document.activeElement?.closest(".body")?.checkVisibility())).toBe(true);
  });

  it("opens and closes collapsible sections with Enter and Space", async () => {
    const page = await show(formatHtml(report));
    const last = page.locator("#failures .card").last();
    await last.locator("summary").focus();
    await page.keyboard.press("Enter");
    expect(await last.locator(".body").isVisible()).toBe(true);
    await page.keyboard.press("Space");
    expect(await last.locator(".body").isVisible()).toBe(false);
  });
});
