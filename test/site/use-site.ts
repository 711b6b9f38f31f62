import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { siteFolder } from "../../site/site-folders.js";
import type { Listening } from "../../src/base/listen.js";
import { createDocsServer } from "../../src/http/create-docs-server.js";
import { launchChromium } from "../support/launch-chromium.js";

/** How to open a page in a separate browser. */
export interface OpenOptions extends BrowserContextOptions {
  /** Runs before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** The errors that the test causes on purpose. */
  readonly causes?: RegExp;
}

/**
 * How to open a page of the site, such as `chat/index.html?level=300`. The test fails if the page sends a request to
 * another machine or logs an error.
 */
export interface OpenSite {
  /** Opens a page in a separate browser, which keeps no data. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
  /** Opens a page in the tab that the tests of the file share, on a desktop in light colours. For tests that leave nothing in the browser. */
  readonly visit: (path: string) => Promise<Page>;
  readonly url: () => string;
}

const desktop = { width: 1280, height: 720 };

/** Serves the built site for the tests of a file, and opens its pages in Chromium. */
export function useSite(): OpenSite {
  let site: Listening;
  let browser: Browser;
  let shared: { readonly page: Page; readonly problems: string[] } | undefined;
  beforeAll(async () => {
    site = await createDocsServer(siteFolder);
    browser = await launchChromium();
  });
  afterAll(() => Promise.all([browser?.close(), site?.close()]).then(() => undefined));

  async function createPage(context: BrowserContext): Promise<{ readonly page: Page; readonly problems: string[] }> {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      const { url } = message.location();
      // Chromium logs every error response, even if the console shows it on purpose.
      const isOfOtherServer = url !== "" && !url.startsWith(site.url);
      if (message.type() === "error" && !isOfOtherServer) problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => isElsewhere(request.url()) && problems.push(`request to ${request.url()}`));
    return { page, problems };
  }

  return {
    open: async (path, { prepare, causes, ...options } = {}) => {
      const context = await browser.newContext(options);
      const { page, problems } = await createPage(context);
      onTestFinished(async () => {
        await context.close();
        expect(problems.filter((problem) => !causes?.test(problem))).toEqual([]);
      });
      await prepare?.(page);
      await page.goto(`${site.url}/${path}`, { waitUntil: "domcontentloaded" });
      if (options.javaScriptEnabled !== false) await untilReady(page);
      return page;
    },
    visit: async (path) => {
      shared ??= await createPage(await browser.newContext());
      const { page, problems } = shared;
      onTestFinished(() => expect(problems.splice(0)).toEqual([]));
      await page.emulateMedia({ media: null, colorScheme: "light" });
      await page.setViewportSize(desktop);
      await page.goto(`${site.url}/${path}`, { waitUntil: "domcontentloaded" });
      await untilReady(page);
      return page;
    },
    url: () => site.url,
  };
}

/** Waits until Vue has taken over the page. */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
}

function isElsewhere(url: string): boolean {
  return /^(https?|wss?):/.test(url) && new URL(url).hostname !== "127.0.0.1";
}
