import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "../../../support/launch-chromium.js";
import { type ServedPage, servePage } from "./served-page.js";

/** Opens a page of a report in the browser. */
export type ShowPage = (
  html: string,
  options?: BrowserContextOptions & { readonly hash?: string; readonly before?: string },
) => Promise<ServedPage["page"]>;

/** Starts a browser for the tests of a file. Closes the pages after each test, and fails if one sent a request or logged a message. */
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
