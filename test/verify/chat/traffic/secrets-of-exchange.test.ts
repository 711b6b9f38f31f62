import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { maskOf } from "../../../../src/verify/chat/traffic/secrets-of-exchange.js";
import { createHarWriter } from "../../../../src/verify/traffic/har/create-har-writer.js";
import { recordedExchange } from "./recorded-exchange.js";

const secret = "q7Zr2vPk9wXs4tLm";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("maskOf", () => {
  it.each([
    ["the key", basic(`hamlet@example.com:${secret}`)],
    ["a key in place of the e-mail address", basic(`${secret}:`)],
    ["a key without a colon", basic(secret)],
    ["a key without a scheme", secret],
    ["a bearer token", `Bearer ${secret}`],
  ])("masks %s wherever it occurs", (_, authorization) => {
    const mask = maskOf(recordedExchange({ call: "GET /messages", authorization }));
    expect(mask(`GET /bots/${secret}/messages`)).not.toContain(secret);
  });

  it("does not mask a short name in place of the e-mail address", () => {
    const mask = maskOf(recordedExchange({ call: "GET /messages", authorization: basic("me:") }));
    expect(mask("GET /messages")).toBe("GET /messages");
  });
});

it("masks the target of a redirect in a recording", async () => {
  const folder = mkdtempSync(join(tmpdir(), "accord-har-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "traffic.har");
  const writer = createHarWriter(file, { origin: "http://127.0.0.1:4011", version: "0.0.0" });
  const exchange = recordedExchange({ call: "GET /messages", status: 302 });
  const location = `/login?api_key=${secret}`;
  writer.add(
    { ...exchange, response: { status: 302, headers: { location }, body: Buffer.of(), bodyBytes: 0 } },
    maskOf(exchange),
  );
  await writer.end();
  expect(JSON.parse(readFileSync(file, "utf8")).log.entries[0].response.redirectURL).toBe("/login?api_key=***");
});
