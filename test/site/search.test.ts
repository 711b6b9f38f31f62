import type { Page } from "playwright-core";
import { it } from "vitest";
import { needing } from "../support/needing.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();

/** Queries, each with the page or anchor of a result among the first three. */
const queries = [
  ["messages.edit.content-with-stream", "chat/editMessage.html#rule-messages.edit.content-with-stream"],
  ["redaction", "daemon/conventions.html#redaction"],
  ["editMessage", "chat/editMessage.html"],
  ["edit a message", "chat/editMessage.html"],
  ["SelectNode", "daemon/SelectNode.html"],
  ["/users/me/subscriptions", "chat/unsubscribe.html"],
  ["STREAM_DOES_NOT_EXIST", "#code-STREAM_DOES_NOT_EXIST"],
  ["prev_content_sha256", "#parameter-prev_content_sha256"],
  ["detected_format", "#field-"],
  ["muted-topic", "#state-muted-topic"],
  ["several machines", "guides/ci.html#several-machines"],
  // A typo.
  ["redirct", "redirect"],
] as const;

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await page.getByRole("searchbox").waitFor();
}

describe("the search", () => {
  it.each(queries)("finds %s", async (query, target) => {
    const page = await site.visit("index.html");
    await openSearch(page);
    await page.getByRole("searchbox").fill(query);
    const found = page.locator(`.VPLocalSearchBox .results li:nth-child(-n + 3) a[href*="${target}"]`);
    // Results appear at once, so that a missing one need not take the default of minutes.
    await found.first().waitFor({ timeout: 60_000 });
  });

  it("opens the result that the keyboard chooses", async () => {
    const page = await site.visit("index.html");
    await openSearch(page);
    await page.keyboard.type("messages.edit.content-with-stream");
    await page.locator(".VPLocalSearchBox .selected[href*='rule-messages.edit.content-with-stream']").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/editMessage\.html#rule-messages\.edit\.content-with-stream$/);
  });
});
