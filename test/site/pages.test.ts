import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { needing } from "../support/needing.js";
import { isThorough } from "../support/thorough.js";
import { findCutOff, findViolations } from "./find-violations.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();

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
  "guides/verify.html",
];
/** Further pages of these kinds, which are long. */
const more = ["chat/editMessage.html", "chat/getMessages.html", "states.html", "guides/open-questions.html"];
const all = isThorough ? [...kinds, ...more] : kinds;

/** Opens the first case, workflow and list of checks, as a reader does. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const kind of [".case", ".workflow", ".rule-checks details"]) {
      document.querySelector<HTMLDetailsElement>(kind)?.setAttribute("open", "");
    }
  });
}

describe("a page", () => {
  it.each(all)("%s is accessible in light and dark mode according to axe, and fits on a phone", async (path) => {
    const page = await site.visit(path);
    await unfold(page);
    expect(await findViolations(page)).toEqual([]);
    expect(await findCutOff(page)).toEqual([]);
  });

  it.each(["index.html", "chat/editMessage.html", "workflows/topics.html", "daemon/SelectNode.html"])(
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
    const sizes: Promise<number>[] = [];
    const page = await site.open("index.html", {
      prepare: async (opened) =>
        opened.on("response", (response) => {
          const isScript = new URL(response.url()).pathname.endsWith(".js");
          if (isScript) sizes.push(response.body().then((body) => gzipSync(body).length));
        }),
    });
    await page.waitForLoadState("networkidle");
    expect(sizes.length).toBeGreaterThan(1);
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });

  it("prints folded parts, and omits the navigation", async () => {
    const page = await site.visit("chat/createReminder.html");
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
  });

  it("opens the case that a link leads to", async () => {
    const page = await site.visit("chat/unsubscribe.html#case-unknown_channel");
    await page.locator("#case-unknown_channel[open]").waitFor();
  });

  it("lets the keyboard alone skip to the content and reach its parts", async () => {
    const page = await site.visit("chat/createReminder.html");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.evaluate(() => {
      const page = window as unknown as { focused: string[] };
      page.focused = [];
      document.addEventListener("focusin", ({ target }) => {
        const at = (target as Element).closest(".case > summary, .samples, .level-bar, .rules") ?? (target as Element);
        page.focused.push(at.className || at.tagName);
      });
    });
    const missing = async () => {
      const focused = await page.evaluate(() => (window as unknown as { focused: string[] }).focused);
      return ["level-bar", "rules", "SUMMARY"].filter((place) => !focused.includes(place));
    };
    for (let rounds = 0; rounds < 40 && (await missing()).length > 0; rounds++) {
      for (let presses = 0; presses < 10; presses++) await page.keyboard.press("Tab");
    }
    expect(await missing()).toEqual([]);
  });
});
