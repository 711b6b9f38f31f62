import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createMocks } from "../../scripts/create-mocks.js";
import { launchChromium } from "../support/launch-chromium.js";
import { needing } from "../support/needing.js";
import { startProgram } from "../support/start-program.js";
import { copyExample, readmeLine } from "./example-copy.js";

const { describe } = needing("chromium", "bash");

const root = fileURLToPath(new URL("../..", import.meta.url));
const esbuild = `${root}node_modules/.bin/esbuild`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** Builds and serves the page with the commands of its README, and opens it with mocks. */
async function openPage(): Promise<Page> {
  const { folder } = copyExample("ui-browser");
  const bundle = readmeLine("ui-browser", "npx --no-install esbuild accord", {
    "npx --no-install esbuild": esbuild,
    "accord-contracts/chat": `${root}src/chat/index.ts`,
  });
  await promisify(execFile)("bash", ["-euc", bundle], { cwd: folder });
  const server = await startProgram({
    command: readmeLine("ui-browser", "npx --no-install esbuild --servedir", {
      "npx --no-install esbuild": esbuild,
      4016: "0",
    }),
    folder,
    ready: /Local:\s+(http:\S+)/,
    install: "npm ci",
  });
  onTestFinished(server.stop);
  const { chat, daemon } = await createMocks({ chat: 0, daemon: 0 });
  onTestFinished(() => Promise.all([chat.close(), daemon.close()]).then(() => undefined));
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${server.address}?chat=${chat.url}&daemon=${daemon.addresses[0]}`);
  return page;
}

/** Waits until an element has a text. */
async function expectText(page: Page, id: string, text: string): Promise<void> {
  await page.locator(`#${id}`, { hasText: text }).waitFor();
  expect(await page.locator(`#${id}`).textContent()).toBe(text);
}

describe("the page in the browser", () => {
  it("previews a subscription, selects a node, and shows an error of the daemon", async () => {
    const page = await openPage();
    await page.getByRole("button", { name: "Preview" }).click();
    await expectText(page, "daemon-says", "Northwind: 3 nodes, 0 rejected entries.");
    await page.getByRole("button", { name: "Frankfurt 2" }).click();
    await expectText(page, "daemon-says", "Node 2 is selected.");
    await page.getByLabel("URL").fill("https://grace:vX9pLm3QwE@trey.example:8443/subscription");
    await page.getByRole("button", { name: "Preview" }).click();
    await expectText(page, "daemon-says", "unavailable: The connection was refused (https://trey.example:8443)");
  });

  it("leaves a channel, and narrows the error for an unknown one", async () => {
    const page = await openPage();
    await page.getByRole("button", { name: "Leave" }).click();
    await expectText(page, "chat-says", "Left: Denmark.");
    await page.getByLabel("Name").fill("nordic folk dance");
    await page.getByRole("button", { name: "Leave" }).click();
    await expectText(page, "chat-says", "No channel is named nordic folk dance.");
  });
});
