import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../reference/chat/create-chat-reference.js";
import { createMocks } from "../../scripts/create-mocks.js";
import { needing } from "../support/needing.js";
import { setUpChat } from "../support/set-up-chat.js";
import { findCutOff, findViolations } from "./find-violations.js";
import { useSite } from "./use-site.js";

const { describe } = needing("chromium");

const site = useSite();
let mocks: Awaited<ReturnType<typeof createMocks>>;
let reference: ChatReference;
beforeAll(async () => {
  mocks = await createMocks({ chat: 0, daemon: 0 });
  reference = await createChatReference({ states: true });
});
afterAll(() => Promise.all([mocks?.chat.close(), mocks?.daemon.close(), reference?.close()]).then(() => undefined));

async function openConsole(page: Page, server: string): Promise<void> {
  await page.getByRole("button", { name: "Open the console" }).click();
  await page.getByLabel("Server", { exact: true }).fill(server);
}

async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.locator(".verdict .banner").first().waitFor();
  return (await page.locator(".verdict").textContent()) ?? "";
}

const chooseCase = (page: Page, name: string) => page.getByRole("combobox", { name: "Case" }).selectOption(name);

describe("the console of an operation", () => {
  it("calls the mock with a case, and shows the request, the response and the curl command", async () => {
    const page = await site.visit("chat/unsubscribe.html");
    await openConsole(page, mocks.chat.url);
    expect(await send(page)).toContain("The answer fits the contract of level 415.");
    expect(await page.locator(".raw.sent").textContent()).toMatch(
      /^DELETE \/api\/v1\/users\/me\/subscriptions HTTP\/1\.1\n[\s\S]*\n\nsubscriptions=%5B%22Denmark%22%2C%22Verona%22%5D$/,
    );
    expect(await page.locator(".raw.received").textContent()).toMatch(/^200 OK\n[\s\S]*"removed": \[\n +"Denmark"/);
    expect(await page.locator(".curl pre").textContent()).toMatch(
      /^curl -X DELETE -u 'me@example\.com:\*\*\*' --data-urlencode 'subscriptions=\["Denmark","Verona"\]' http/,
    );
    expect(page.url()).not.toContain("example.com");
  });

  it("opens with the case of the pressed button, by keyboard alone, and copies the curl command", async () => {
    const page = await site.open("chat/unsubscribe.html", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.locator(".try-it .console-button").waitFor();
    const button = page.locator("[data-try-case]").nth(1);
    const name = await button.getAttribute("data-try-case");
    await page.evaluate((id) => {
      const details = document.getElementById(id);
      if (details instanceof HTMLDetailsElement) details.open = true;
    }, `case-${name}`);
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator(".console").waitFor();
    await page.waitForFunction(
      (wanted) => document.querySelector<HTMLSelectElement>(".case-field select")?.value === wanted,
      name,
    );
    await page.getByLabel("Server", { exact: true }).fill(mocks.chat.url);
    await page.keyboard.press("Enter");
    await page.locator(".raw.received").waitFor();
    await page.locator(".curl button").click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -X DELETE /);
  });

  it("sets up a case on the reference server, which lets the page call it", async () => {
    const page = await site.visit("chat/editMessage.html");
    await openConsole(page, reference.url);
    for (const [name, status] of [
      ["topic", "200 OK"],
      ["content_with_channel", "400 Bad Request"],
    ] as const) {
      await chooseCase(page, name);
      await page.getByRole("button", { name: "Set up the situation of the case" }).click();
      await page.getByText("The situation is set up.").waitFor();
      expect(await send(page)).toContain("The answer fits the contract of level 415.");
      expect(await page.locator(".raw.received").textContent()).toMatch(new RegExp(`^${status}`));
    }
  });

  it("uploads a file with credentials, which it does not store", async () => {
    const { email, api_key: key } = (await setUpChat(reference)).credentials("member");
    const page = await site.open("chat/uploadFile.html");
    await openConsole(page, reference.url);
    await page.getByRole("textbox", { name: "E-mail address" }).fill(email);
    await page.getByLabel("API key").fill(key);
    await page.locator(".field input[type=file]").setInputFiles({
      name: "chapel.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("Meet me"),
    });
    expect(await send(page)).toContain("fits");
    expect(await page.locator(".raw.sent").textContent()).toContain('file "chapel.txt", text/plain, 7 bytes');
    expect(await page.locator(".raw.received").textContent()).toMatch(/chapel\.txt/);
    expect(await page.locator(".console").innerHTML()).not.toContain(key);
    const stored = () =>
      page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie]));
    expect(await stored()).not.toContain(key);
  });

  it("names the problems of a response at the level of the address", async () => {
    const page = await site.open("chat/getServerSettings.html?level=100");
    await page.route(`${mocks.chat.url}/**`, (route) =>
      route.fulfill({
        status: 200,
        headers: { "Access-Control-Allow-Origin": "*" },
        contentType: "application/json",
        body: '{"result":"success","msg":"<img src=x onerror=alert(1)>"}',
      }),
    );
    await openConsole(page, mocks.chat.url);
    const verdict = await send(page);
    expect(verdict).toContain("does not fit the contract of level 100");
    expect(verdict).toContain("/msg: must be equal to constant");
    expect(await page.locator(".raw.received").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator(".try-it img").count()).toBe(0);
  });

  it("returns to the case of a button that is pressed again", async () => {
    const page = await site.visit("chat/unsubscribe.html#case-unknown_channel");
    const button = page.locator("[data-try-case=unknown_channel]");
    const select = page.getByRole("combobox", { name: "Case" });
    await button.click();
    await expect.poll(() => select.inputValue()).toBe("unknown_channel");
    await chooseCase(page, "");
    await button.click();
    await expect.poll(() => select.inputValue()).toBe("unknown_channel");
  });

  it.each([
    ["its data", "**/console/unsubscribe.json"],
    ["its script", "**/OperationConsole*.js"],
  ])("says that the console could not be loaded without %s", async (_, blocked) => {
    const page = await site.open("chat/unsubscribe.html", {
      prepare: (opened) => opened.route(blocked, (route) => route.abort()),
      causes: /ERR_FAILED|Failed to fetch/,
    });
    await page.getByRole("button", { name: "Open the console" }).click();
    await page.getByRole("alert").filter({ hasText: "The console could not be loaded" }).waitFor();
  });

  it("shows the answer, but no verdict, if the contract cannot be loaded", async () => {
    const page = await site.open("chat/unsubscribe.html", {
      prepare: (opened) => opened.route("**/chunks/judge.*.js", (route) => route.abort()),
      causes: /ERR_FAILED/,
    });
    await openConsole(page, mocks.chat.url);
    expect(await send(page)).toContain("The contract could not be loaded.");
    expect(await page.locator(".raw.received").textContent()).toContain("200 OK");
  });

  it("refuses a server that is not http or https", async () => {
    const page = await site.visit("chat/unsubscribe.html");
    await openConsole(page, "javascript:alert(1)");
    expect(await page.locator(".exchange .banner").textContent()).toContain("Write an http or https URL");
    expect(await page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
  });

  it("names likely reasons if no server answers", async () => {
    const page = await site.visit("chat/unsubscribe.html");
    await openConsole(page, "http://127.0.0.1:9");
    expect(await send(page)).toMatch(/No answer from http:\/\/127\.0\.0\.1:9.*accord mock.*--cors/);
  });
});

describe("the console of an RPC", () => {
  it("calls the daemon mock over Connect", async () => {
    const page = await site.visit("daemon/SelectNode.html");
    await openConsole(page, mocks.daemon.addresses[0] ?? "");
    expect(await send(page)).toContain("The answer fits the messages of the contract.");
    expect(await page.locator(".raw.sent").textContent()).toMatch(
      /^POST \/proxydaemon\.v1\.ProxySubscriptions\/SelectNode/,
    );
    await page.getByRole("textbox", { name: "Message" }).fill('{"id": "seven"}');
    expect(await send(page)).toContain("fits");
    expect(await page.locator(".raw.received").textContent()).toMatch(/^400 [\s\S]*"code": "invalid_argument"/);
  });
});

describe("a page with a console", () => {
  it.each([
    ["chat/editMessage.html", () => mocks.chat.url],
    ["daemon/PreviewImport.html", () => mocks.daemon.addresses[0] ?? ""],
  ] as const)("is accessible in light and dark mode, and fits on a phone: %s", async (path, server) => {
    const page = await site.visit(path);
    await openConsole(page, server());
    await send(page);
    expect(await findCutOff(page, ".try-it")).toEqual([]);
    // The rest of the page, which pages.test.ts checks, would take most of the time.
    await page.locator(".contract").evaluateAll((parts) => {
      for (const part of parts) part.remove();
    });
    expect(await findViolations(page)).toEqual([]);
  });

  it("says without script that the console needs one", async () => {
    const page = await site.open("chat/unsubscribe.html", { javaScriptEnabled: false });
    expect(await page.locator(".try-it").textContent()).toContain("The console needs JavaScript.");
    expect(await page.locator("[data-try-case]").first().isVisible()).toBe(false);
  });
});
