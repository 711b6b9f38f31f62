import { describe, expect, it } from "vitest";
import { useSite } from "./use-site.js";

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
  // A typing error.
  ["redirct", "redirect"],
] as const;

describe("the search", () => {
  it("finds what each query names", async () => {
    const page = await site.open("index.html");
    await page.getByRole("button", { name: "Search" }).click();
    for (const [query, title] of queries) {
      await page.getByRole("searchbox").fill(query);
      const titles = page.locator(".found li:nth-child(-n + 3) .title", { hasText: title });
      await titles.first().waitFor();
    }
  });

  it("shows the first result within 100 ms", async () => {
    const page = await site.open("index.html");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("x");
    await page.locator(".summary", { hasText: /result|Nothing/ }).waitFor();
    const times = [];
    for (const query of ["topic", "content", "messages.edit", "prev content", "subscription"]) {
      times.push(
        await page.evaluate(async (text) => {
          const field = document.querySelector<HTMLInputElement>(".search-dialog input");
          if (field === null) throw new Error("There is no field");
          field.value = text;
          const start = performance.now();
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.querySelector(".found a") === null) throw new Error(`Nothing found for ${text}`);
          return performance.now() - start;
        }, query),
      );
    }
    // The median, because other tests use the same processors.
    expect(times.sort((a, b) => a - b)[2]).toBeLessThan(100);
  });

  it("opens the result that the keyboard chooses", async () => {
    const page = await site.open("index.html");
    const dialog = page.locator("dialog[open]");
    // The page listens once its script has run.
    const open = async () => {
      if ((await dialog.count()) === 0) await page.keyboard.press("/");
      return dialog.count();
    };
    await expect.poll(open, { timeout: 20_000 }).toBe(1);
    await page.keyboard.type("messages.edit.content-with-stream");
    await page.locator(".found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/editMessage\.html#rule-messages\.edit\.content-with-stream$/);
    await page.locator("dialog[open]").waitFor({ state: "detached" });
  });

  it("leaves out what the chosen level lacks", async () => {
    const page = await site.open("chat/editMessage.html?level=100");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("prev_content_sha256");
    await page.locator(".summary", { hasText: /results|Nothing/ }).waitFor();
    const kinds = await page.locator(".found li").allTextContents();
    expect(kinds.filter((text) => /^parameter/.test(text))).toEqual([]);
  });
});
