import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { useSite } from "./use-site.js";

const site = useSite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** One page of each kind. */
const kinds = [
  "index.html",
  "chat/index.html",
  "chat/conventions.html",
  "chat/updateMutedTopic.html",
  "workflows/topics.html",
  "daemon/SelectNode.html",
  "daemon/messages.html",
  "codes.html",
  "checks.html",
  "compare.html?from=300&to=415",
  "guides/verify.html",
];
/** Long pages of the same kinds as others. */
const more = [
  "chat/editMessage.html",
  "chat/getMessages.html",
  "states.html",
  "recommendations.html",
  "guides/faults.html",
  "guides/open-questions.html",
];
const all = process.env.ACCORD_SITE_PAGES === "all" ? [...kinds, ...more] : kinds;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Axe {
  readonly run: (root: Document, options: object) => Promise<{ readonly violations: readonly Violation[] }>;
}

/** What axe finds on a page, by all of its rules or by some. */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const options = rules === undefined ? {} : { runOnly: { type: "rule", values: rules } };
  const found = await page.evaluate((given) => (window as unknown as { axe: Axe }).axe.run(document, given), options);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map(({ html }) => `${id}: ${html.slice(0, 200)}`),
  );
}

/** Opens the first case, workflow and list of checks, as a reader does. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const kind of [".case", ".workflow", ".rule-checks details"]) {
      document.querySelector<HTMLDetailsElement>(kind)?.setAttribute("open", "");
    }
  });
}

/** Elements beyond the right edge of a phone, unless they are in something that scrolls. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrolled = (one: Element) => one.closest("pre, table, .drawing, div[class*=language-]") !== null;
    return [...document.querySelectorAll(".VPContent :is(p, li, h1, h2, h3, td, code, a, button)")]
      .filter((one) => one.checkVisibility() && !isScrolled(one) && one.getBoundingClientRect().right > 391)
      .map((one) => one.outerHTML.slice(0, 120));
  });
}

describe("the pages", () => {
  it.each(all)("%s has no violation that axe finds, light and dark, and fits a phone", async (path) => {
    const page = await site.open(path, { colorScheme: "light" });
    await unfold(page);
    await page.addScriptTag({ content: axe });
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html.dark").waitFor();
    // Only colours differ.
    expect(await violations(page, ["color-contrast", "link-in-text-block"])).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await cutOff(page)).toEqual([]);
  });

  it.each(["index.html", "chat/editMessage.html", "workflows/topics.html", "daemon/SelectNode.html", "codes.html"])(
    "%s can be read without a script",
    async (path) => {
      const page = await site.open(path, { javaScriptEnabled: false });
      const text = await page.locator(".VPContent").innerText();
      expect(text.length).toBeGreaterThan(400);
      expect(await page.locator(".VPContent h1").innerText()).not.toBe("");
    },
  );

  it("shows a case and its samples without a script", async () => {
    const page = await site.open("chat/unsubscribe.html", { javaScriptEnabled: false });
    await page.locator("#case-unknown_channel > summary").click();
    await page.locator("#case-unknown_channel").getByText("curl -X DELETE").waitFor();
    await page.locator("#case-unknown_channel").getByText("Python").click();
    await page.locator("#case-unknown_channel").getByText("requests.delete").waitFor();
  });

  it("loads at most 150 kB of script for the first page, gzipped", async () => {
    const sizes: number[] = [];
    const page = await site.open("404.html");
    page.on("response", async (response) => {
      if (/\.js$/.test(new URL(response.url()).pathname)) sizes.push(gzipSync(await response.body()).length);
    });
    await page.goto(`${site.url()}/index.html`, { waitUntil: "networkidle" });
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });

  it("prints what is folded, without the navigation", async () => {
    const page = await site.open("chat/createReminder.html");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".VPSidebar").isVisible()).toBe(false);
    expect(await page.locator(".case pre").first().isVisible()).toBe(true);
  });

  it("shows all samples in the language that is chosen for one", async () => {
    const page = await site.open("chat/createReminder.html#cases");
    const cases = page.locator("details.case:not([hidden])");
    await cases.nth(0).locator("summary").click();
    await cases.nth(1).locator("summary").click();
    await cases.nth(0).getByText("Python").click();
    await cases.nth(1).getByText("requests.post").waitFor();
    await page.reload();
    await cases.nth(1).locator("summary").click();
    await cases.nth(1).getByText("requests.post").waitFor();
  });

  it("opens the case that a link leads to, and copies links of rules", async () => {
    const page = await site.open("chat/unsubscribe.html#case-unknown_channel", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.locator("#case-unknown_channel[open]").waitFor();
    await page.getByRole("button", { name: "Copy link to subscriptions.remove.unknown-channel", exact: true }).click();
    await page.locator("[data-copied]").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${site.url()}/chat/unsubscribe.html#rule-subscriptions.remove.unknown-channel`,
    );
  });

  it("reaches the content from the keyboard alone", async () => {
    const page = await site.open("chat/createReminder.html");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    const focused = new Set<string>();
    for (let presses = 0; presses < 400; presses++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const at = document.activeElement;
        return at === null || at === document.body
          ? undefined
          : (at.closest(".case > summary, .samples, .level-bar, .rules") ?? at).className || at.tagName;
      });
      if (stop === undefined) break;
      focused.add(stop);
    }
    for (const place of ["level-bar", "rules", "SUMMARY"]) expect([...focused]).toContain(place);
  });
});
