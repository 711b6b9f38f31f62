import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "../../../support/launch-chromium.js";
import { type ServedPage, servePage } from "./served-page.js";

/** Opens a page of a report in the browser of a test file. */
export type ShowPage = (
  html: string,
  options?: BrowserContextOptions & { readonly hash?: string; readonly before?: string },
) => Promise<ServedPage["page"]>;

/** Gives the tests of a file a browser. After each of them its pages are closed, and must not have asked for or complained of anything. */
export function usePages(): ShowPage {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  const open: ServedPage[] = [];
  afterEach(async () => {
    for (const served of open.splice(0)) {
      const { requests, complaints } = served;
      await served.close();
      expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
    }
  });
  return async (html, options = {}) => {
    const served = await servePage(browser, html, options);
    open.push(served);
    return served.page;
  };
}
