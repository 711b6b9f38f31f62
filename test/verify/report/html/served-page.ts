import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page of a report in a browser. */
export interface ServedPage {
  readonly page: Page;
  /** The requests that the page makes, without the one that loads it. */
  readonly requests: readonly string[];
  /** Script errors and console messages, such as violations of the content security policy. */
  readonly complaints: readonly string[];
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves a page from localhost, so that the browser treats it as a secure origin, and opens it. */
export async function servePage(
  browser: Browser,
  html: string,
  options: BrowserContextOptions & { readonly hash?: string; readonly before?: string } = {},
): Promise<ServedPage> {
  const { hash = "", before, ...context } = options;
  const requests: string[] = [];
  const complaints: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== "/") requests.push(request.url ?? "");
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(request.url === "/" ? html : "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const opened = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  if (before !== undefined) await opened.addInitScript(before);
  const page = await opened.newPage();
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) requests.push(request.url());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(url + hash);
  return {
    page,
    requests,
    complaints,
    url,
    close: async () => {
      await opened.close();
      server.close();
    },
  };
}
