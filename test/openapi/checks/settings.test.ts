import { describe, expect, it } from "vitest";
import { conventionsLevel } from "../../../openapi/checks/conventions-level.js";
import { conventionsRegister } from "../../../openapi/checks/conventions-register.js";
import { imageSize, organizationLogo } from "../../../openapi/checks/organization-logo.js";
import { loadContract } from "../../../src/chat/contract.js";
import type { CodeCheck } from "../../../src/verify/run/define-check.js";
import type { Answer } from "../../verify/rest/example-server.js";
import { startStubChat, stubState } from "../../verify/rest/stub-chat.js";
import { runCodeOf } from "../../verify/run/run-check.js";

/** Runs a check on a server whose answers depend on the URL alone. */
async function outcomeOf(check: CodeCheck, answer: (url: string) => Answer, level?: number) {
  const server = await startStubChat(
    ({ url = "" }) => answer(url),
    ({ state }) => (state === "organization-address" ? { status: 501, body: {} } : { body: stubState({}) }),
  );
  return runCodeOf(check, server, level);
}

const limits = { max_topic_length: 60, max_message_length: 10_000, max_file_upload_size_mib: 25 };
const svg = (box: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}"/>`;
const logo = (text: string) => ({
  body: { realm_icon: `data:image/svg+xml;base64,${Buffer.from(text).toString("base64")}` },
});

describe("the check of POST /register", () => {
  it.each<[string, Answer, object]>([
    ["passes if the response has every limit", { body: limits }, { kind: "passed" }],
    ["passes if the limits are nested", { body: { realm: [limits] } }, { kind: "passed" }],
    [
      "reports a limit that is absent",
      { body: { ...limits, max_topic_length: undefined } },
      { kind: "failed", broken: ["limits.register"], problems: [expect.stringContaining("`max_topic_length`")] },
    ],
    ["is skipped if the server refuses the call", { status: 404, body: {} }, { kind: "skipped" }],
  ])("%s", async (_, answer, want) => {
    expect(await outcomeOf(conventionsRegister, () => answer)).toMatchObject(want);
  });
});

describe("the check of the operations of a level", () => {
  it.each([
    { level: 381, has: false },
    { level: 382, has: true },
  ])("calls the operation that level 381 added at level $level: $has", async ({ level, has }) => {
    const { calls } = conventionsLevel;
    const called = typeof calls === "function" ? calls(await loadContract(), level) : (calls ?? []);
    expect(called.some((id) => id.endsWith("Reminder"))).toBe(has);
  });
});

describe("the check of the logo", () => {
  it.each<[string, (url: string) => Answer, object]>([
    ["passes if the logo is square", () => logo(svg("0 0 8 8")), { kind: "passed" }],
    [
      "reports a logo that is wider than high",
      () => logo(svg("0 0 8 4")),
      { kind: "failed", broken: ["server-settings.get.realm-icon"], problems: ["the logo has a size of 8 × 4"] },
    ],
    [
      "loads a logo from the server",
      (url) =>
        url === "/logo.svg" ? { body: svg("0 0 1 2"), type: "image/svg+xml" } : { body: { realm_icon: "/logo.svg" } },
      { kind: "failed", problems: ["the logo has a size of 1 × 2"] },
    ],
    [
      "loads no logo from another origin",
      () => ({ body: { realm_icon: "http://127.0.0.2:9/logo.svg" } }),
      { kind: "skipped", reason: "the URL is at an origin other than that of the API" },
    ],
    [
      "reports a logo that is not a URL",
      () => ({ body: { realm_icon: "http://[" } }),
      { kind: "failed", problems: ["`realm_icon` is not a URL"] },
    ],
    ["is skipped if a `data:` URL is malformed", () => ({ body: { realm_icon: "data:,%" } }), { kind: "skipped" }],
    ["is skipped if the logo is no image", () => logo("none"), { kind: "skipped" }],
    [
      "is skipped without a logo",
      () => ({ body: {} }),
      { kind: "skipped", reason: "the settings have no `realm_icon`" },
    ],
  ])("%s", async (_, answer, want) => {
    expect(await outcomeOf(organizationLogo, answer)).toMatchObject(want);
  });
});

describe("imageSize", () => {
  const png = Buffer.alloc(24);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(png);
  png.writeUInt32BE(3, 16);
  png.writeUInt32BE(2, 20);
  const gif = Buffer.concat([Buffer.from("GIF89a"), Buffer.from([5, 0, 4, 1])]);

  it.each<[string, Buffer, object | undefined]>([
    ["a PNG image", png, { width: 3, height: 2 }],
    ["a GIF image", gif, { width: 5, height: 260 }],
    [
      "an SVG image with width and height",
      Buffer.from("<svg width='7px' height='6' viewBox='0 0 1 1'>"),
      { width: 7, height: 6 },
    ],
    ["an SVG image with a view box", Buffer.from(svg("0,0,2,9")), { width: 2, height: 9 }],
    ["an SVG image without a size", Buffer.from("<svg>"), undefined],
    ["another format", Buffer.from("RIFF"), undefined],
  ])("reads the size of %s", (_, bytes, want) => {
    expect(imageSize(bytes)).toEqual(want);
  });
});
