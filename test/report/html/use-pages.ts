import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "../../support/launch-chromium.js";
import { desktop, openReportTab, type ReportTab, type TabOptions } from "./report-tab.js";

/** Opens a page of a report in the browser: with options in a tab of its own, otherwise in the one that the tests of the file share. */
export type ShowPage = (html: string, options?: TabOptions & { readonly hash?: string }) => Promise<Page>;

/** Starts a browser for the tests of a file. Fails after a test if one of its pages sent a request or logged a message. */
export function usePages(): ShowPage {
  let browser: Browser;
  let shared: ReportTab | undefined;
  const separate: ReportTab[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await shared?.close();
    await browser.close();
  });
  afterEach(async () => {
    const tabs = [...separate, ...(shared === undefined ? [] : [shared])];
    await Promise.all(separate.splice(0).map((tab) => tab.close()));
    for (const { requests, complaints } of tabs) {
      expect({ requests: requests.splice(0), complaints: complaints.splice(0) }).toEqual({
        requests: [],
        complaints: [],
      });
    }
  });
  return async (html, { hash, ...options } = {}) => {
    if (Object.keys(options).length > 0) {
      const tab = await openReportTab(browser, options);
      separate.push(tab);
      await tab.load(html, hash);
      return tab.page;
    }
    shared ??= await openReportTab(browser);
    const { page, load } = shared;
    await page.emulateMedia({ media: null });
    await page.setViewportSize(desktop);
    await page.mouse.move(0, 0);
    await load(html, hash);
    return page;
  };
}
