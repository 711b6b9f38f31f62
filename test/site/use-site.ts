import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { siteFolder } from "../../site/site-folders.js";
import { createDocsServer } from "../../src/docs/create-docs-server.js";
import type { Listening } from "../../src/listen.js";
import { launchChromium } from "../support/launch-chromium.js";

/** How to open a page of the site. */
export interface OpenSite {
  /** Opens a page, such as `chat/index.html?level=300`. The test fails if the page asks another machine or logs an error. */
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<Page>;
  readonly url: () => string;
}

/** Serves the built site for the tests of a file, and opens its pages in Chromium. */
export function useSite(): OpenSite {
  let site: Listening;
  let browser: Browser;
  beforeAll(async () => {
    site = await createDocsServer(siteFolder);
    browser = await launchChromium();
  });
  afterAll(() => Promise.all([browser?.close(), site?.close()]).then(() => undefined));
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      const { url } = message.location();
      // Chromium logs every error that a server answers, also to a console that shows it.
      const isOfOtherServer = url !== "" && !url.startsWith(site.url);
      if (message.type() === "error" && !isOfOtherServer) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => isElsewhere(request.url()) && problems.push(`request to ${request.url()}`));
    onTestFinished(async () => {
      await context.close();
      expect(problems).toEqual([]);
    });
    await page.goto(`${site.url}/${path}`);
    if (options.javaScriptEnabled !== false) await untilReady(page);
    return page;
  };
  return { open, url: () => site.url };
}

/** Waits until Vue has taken the page over. Before, it ignores keys and clicks. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
}

function isElsewhere(url: string): boolean {
  return /^(https?|wss?):/.test(url) && new URL(url).hostname !== "127.0.0.1";
}
