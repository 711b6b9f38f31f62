import { expect, it } from "vitest";
import { needing } from "../support/needing.js";
import { untilReady, useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();

/** Opens a page whose scripts arrive only when the returned `finish` is called. */
async function openSlowly(path: string) {
  let load = () => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  const page = await site.open("404.html");
  await page.route("**/*.js", async (route) => {
    await loaded;
    await route.continue();
  });
  await page.goto(`${site.url()}/${path}`, { waitUntil: "commit" });
  await page.locator(".VPContent").waitFor();
  expect(await page.evaluate(() => "__vue_app__" in (document.querySelector("#app") ?? {}))).toBe(false);
  const finish = async () => {
    load();
    await untilReady(page);
  };
  return { page, finish };
}

describe("a page whose script has not arrived yet", () => {
  it("opens the search if its button was pressed before", async () => {
    const { page, finish } = await openSlowly("index.html");
    await page.locator(".search-button").click();
    await finish();
    await page.locator("dialog[open]").waitFor();
  });

  it("opens the search if its key was pressed before", async () => {
    const { page, finish } = await openSlowly("index.html");
    await page.keyboard.press("/");
    await finish();
    await page.locator("dialog[open]").waitFor();
  });

  it("applies the level to which the slider was moved before", async () => {
    const { page, finish } = await openSlowly("chat/editMessage.html");
    await page.getByLabel("Server of level").fill("150");
    await finish();
    await page.locator(".level-bar output", { hasText: "150" }).waitFor();
    await page.waitForURL(/\?level=150/);
    expect(await page.getByLabel("Server of level").inputValue()).toBe("150");
  });

  it("remembers the language that was chosen before", async () => {
    const { page, finish } = await openSlowly("chat/createReminder.html");
    const cases = page.locator("details.case:not([hidden])");
    await cases.nth(0).locator("summary").click();
    await cases.nth(0).getByText("Python").click();
    await finish();
    await cases.nth(1).locator("summary").click();
    await cases.nth(1).getByText("requests.post").waitFor();
  });
});
