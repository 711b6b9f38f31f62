import { expect, it } from "vitest";
import { needing } from "../support/needing.js";
import { findCutOff, findViolations } from "./find-violations.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();

/** Queries with the title of a result among the first three. */
const queries = [
  ["messages.edit.content-with-stream", "messages.edit.content-with-stream"],
  ["prev_content_sha256", "prev_content_sha256"],
  ["edit a message", "Edit a message"],
  ["STREAM_DOES_NOT_EXIST", "STREAM_DOES_NOT_EXIST"],
  ["muted-topic", "muted-topic"],
  ["SelectNode", "SelectNode"],
  ["detected_format", "detected_format"],
  ["several machines", "Several machines"],
  // A typo.
  ["redirct", "redirect"],
] as const;

describe("the search", () => {
  it("finds the target of each query", async () => {
    const page = await site.visit("index.html");
    await page.getByRole("button", { name: "Search" }).click();
    for (const [query, title] of queries) {
      await page.getByRole("searchbox").fill(query);
      const titles = page.locator(".found li:nth-child(-n + 3) .title", { hasText: title });
      await titles.first().waitFor();
    }
  });

  it("shows the first result in the frame after the input", async () => {
    const page = await site.visit("index.html");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("x");
    await page.locator(".summary", { hasText: /result|Nothing/ }).waitFor();
    const missing = await page.evaluate(
      async (queries) => {
        const field = document.querySelector<HTMLInputElement>(".search-dialog input");
        if (field === null) throw new Error("There is no field");
        const missing = [];
        for (const query of queries) {
          field.value = query;
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.querySelector(".found a") === null) missing.push(query);
        }
        return missing;
      },
      ["topic", "content", "messages.edit", "prev content", "subscription"],
    );
    expect(missing).toEqual([]);
  });

  it("opens the result that the keyboard chooses", async () => {
    const page = await site.visit("index.html");
    await page.keyboard.press("/");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.type("messages.edit.content-with-stream");
    await page.locator(".found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/editMessage\.html#rule-messages\.edit\.content-with-stream$/);
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  });

  it("opens the first result if Enter was pressed before the index was loaded", async () => {
    let load = () => {};
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    const page = await site.open("index.html", {
      prepare: (opened) =>
        opened.route("**/search.json", async (route) => {
          await loaded;
          await route.continue();
        }),
    });
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("messages.edit.content-with-stream");
    await page.keyboard.press("Enter");
    await page.locator(".summary", { hasText: "Loading" }).waitFor();
    load();
    await page.waitForURL(/editMessage\.html#rule-messages\.edit\.content-with-stream$/);
  });

  it("is accessible in light and dark mode, and fits on a phone", async () => {
    const page = await site.visit("index.html");
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("content");
    await page.locator(".found a").first().waitFor();
    expect(await findCutOff(page, ".search-dialog")).toEqual([]);
    expect(await findViolations(page, ".search-dialog")).toEqual([]);
  });

  it("omits results that the chosen level lacks", async () => {
    const page = await site.visit("chat/editMessage.html?level=100");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("prev_content_sha256");
    await page.locator(".summary", { hasText: /results|Nothing/ }).waitFor();
    const kinds = await page.locator(".found li").allTextContents();
    expect(kinds.filter((text) => /^parameter/.test(text))).toEqual([]);
  });
});
