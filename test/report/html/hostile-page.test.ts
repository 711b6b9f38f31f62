import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatHtml } from "../../../src/report/html/format-html.js";
import { launchChromium } from "../../support/launch-chromium.js";
import { needing } from "../../support/needing.js";
import { hostileReport } from "../hostile-report.js";
import { hostileTexts } from "../hostile-texts.js";
import { smallReport } from "../sample-report.js";
import { openReportTab } from "./report-tab.js";

const { describe } = needing("chromium");

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** Matches elements and attributes that our pages never contain: anything that loads, runs or links elsewhere. */
const foreign =
  "img,iframe,object,embed,base,textarea,a:not([href^='#']),body style,body link,body meta,[onload],[onerror],[onclick]";

describe("a page with hostile texts everywhere", () => {
  it("creates no element from a text, and preserves the text", async () => {
    const page = await browser.newPage();
    for (const text of hostileTexts) {
      const html = formatHtml(hostileReport(text));
      const found = await page.evaluate(
        ([markup = "", selector = ""]) => {
          const parsed = new DOMParser().parseFromString(markup, "text/html");
          return {
            foreign: [...parsed.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML),
            scripts: parsed.querySelectorAll("script").length,
            styles: parsed.querySelectorAll("style").length,
            checks: parsed.querySelectorAll("#checks li").length,
            commands: [...parsed.querySelectorAll(".exchange .command pre")].map(({ textContent }) => textContent),
          };
        },
        [html, foreign],
      );
      expect(found, text).toMatchObject({ foreign: [], scripts: 1, styles: 1, checks: 9 });
      if (/^[\n -~]+$/.test(text)) expect(found.commands).toEqual(Array(5).fill(text));
    }
    await page.close();
  });

  it.each([
    ["all of them", hostileTexts.join("\n")],
    ["all of them reversed", [...hostileTexts].reverse().join("\n")],
    ["the name of a prototype", "__proto__"],
    ["nothing", ""],
  ])("runs nothing, requests nothing and still works with %s", async (_, text) => {
    const { page, load, requests, complaints, close } = await openReportTab(browser);
    await load(formatHtml(hostileReport(text)));
    await page.fill("#search", "a");
    await page.fill("#search", "");
    await page.locator("#checks summary").first().click();
    await page.locator("#checks li a").first().click();
    expect(await page.evaluate(() => "__ran" in window || "__ran" in Object.prototype)).toBe(false);
    expect(await page.locator(foreign).count()).toBe(0);
    expect(requests).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it("runs no foreign script, even if one is injected", async () => {
    const script =
      "<script>window.__ran = 1</script><p onclick='window.__ran = 2'>x</p><img src='/x.png'><link rel=stylesheet href='/x.css'>";
    const html = formatHtml(smallReport()).replace("<main>", `${script}<main>`);
    const { page, load, requests, complaints, close } = await openReportTab(browser);
    await load(html);
    await page.locator("p[onclick]").click();
    expect(await page.evaluate(() => "__ran" in window)).toBe(false);
    expect(complaints.join()).toContain("Content Security Policy");
    // The browser reports a request that the policy blocks; the server never sees it.
    expect(requests.filter((request) => request.startsWith("/"))).toEqual([]);
    await close();
  });
});
