import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** How to open a tab; `before` is a script that runs before those of each page. */
export interface TabOptions extends BrowserContextOptions {
  readonly before?: string;
}

/** A browser tab that shows pages of reports. */
export interface ReportTab {
  readonly page: Page;
  /** Loads a page from a new address, at its top or at a fragment. */
  readonly load: (html: string, hash?: string) => Promise<void>;
  /** The requests that the pages made, without those that loaded them. */
  readonly requests: string[];
  /** Script errors and console messages, such as violations of the content security policy. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

/** The viewport of a tab unless its options say otherwise. */
export const desktop = { width: 1280, height: 900 };

/** Opens a tab in a browser profile of its own. Serves its pages from localhost, so that the browser treats them as a secure origin. */
export async function openReportTab(browser: Browser, { before, ...options }: TabOptions = {}): Promise<ReportTab> {
  const requests: string[] = [];
  const complaints: string[] = [];
  const shown = { number: 0, html: "" };
  const path = () => `/${shown.number}/`;
  const server = createServer((request, response) => {
    if (request.url !== path()) requests.push(request.url ?? "");
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(request.url === path() ? shown.html : "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = await browser.newContext({ viewport: desktop, ...options });
  if (before !== undefined) await context.addInitScript(before);
  const page = await context.newPage();
  page.on("request", (request) => {
    if (request.url() !== origin + path() && !request.url().startsWith("data:")) requests.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => complaints.push(message.text()));
  return {
    page,
    load: async (html, hash = "") => {
      shown.number++;
      shown.html = html;
      await page.goto(origin + path() + hash);
    },
    requests,
    complaints,
    close: async () => {
      await context.close();
      server.close();
    },
  };
}
