import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeExchange } from "../../../../src/judge/describe-exchange.js";
import type { Mask } from "../../../../src/judge/excerpt.js";
import { createMask } from "../../../../src/judge/mask.js";
import { noSecretPlaces } from "../../../../src/secrets/secret-places.js";
import { createHarWriter } from "../../../../src/traffic/har/create-har-writer.js";
import type { RecordedExchange } from "../../../../src/traffic/recorded/recorded-exchange.js";
import { createExchangeMasks } from "../../../../src/traffic/rest/exchange/secrets-of-exchange.js";
import { recordedExchange } from "../recorded-exchange.js";

const secret = "q7Zr2vPk9wXs4tLm";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("createExchangeMasks", () => {
  it.each([
    ["the key", basic(`hamlet@example.com:${secret}`)],
    ["a key in place of the e-mail address", basic(`${secret}:`)],
    ["a key without a colon", basic(secret)],
    ["a key without a scheme", secret],
    ["a bearer token", `Bearer ${secret}`],
  ])("masks %s wherever it occurs", (_, authorization) => {
    const mask = createExchangeMasks(noSecretPlaces)(recordedExchange({ call: "GET /messages", authorization }));
    expect(mask(`GET /bots/${secret}/messages`)).not.toContain(secret);
  });

  it("masks a key in a later exchange without credentials", () => {
    const maskOf = createExchangeMasks(noSecretPlaces);
    maskOf(recordedExchange({ call: "GET /messages", authorization: basic(`hamlet@example.com:${secret}`) }));
    const later = recordedExchange({ call: `GET /messages?stream_id=${secret}`, authorization: null });
    expect(maskOf(later)(later.request.target)).not.toContain(secret);
  });

  it("remembers the most recent keys, but not all of a long run", () => {
    const maskOf = createExchangeMasks(noSecretPlaces);
    const keyOf = (number: number) => `${secret}${String(number).padStart(4, "0")}`;
    for (let number = 0; number < 200; number++) {
      const authorization = basic(`hamlet@example.com:${keyOf(number)}`);
      maskOf(recordedExchange({ call: "GET /messages", authorization }));
    }
    const mask = maskOf(recordedExchange({ call: "GET /messages", authorization: null }));
    expect(mask(keyOf(199))).toBe("***");
    expect(mask(keyOf(0))).toBe(keyOf(0));
  });

  it.each(["key", "sig", "X-Amz-Sig", "storage_key"])(
    "masks the query parameter %s and its value elsewhere",
    (name) => {
      const exchange = recordedExchange({ call: `GET /messages?${name}=${secret}`, authorization: null });
      const mask = createExchangeMasks(noSecretPlaces)(exchange);
      expect(mask(exchange.request.target)).toBe(`/api/v1/messages?${name}=***`);
      expect(mask(`No message ${secret}`)).toBe("No message ***");
    },
  );

  it("shows public keys", () => {
    const mask = createExchangeMasks(noSecretPlaces)(recordedExchange({ call: "GET /messages" }));
    expect(mask("push_public_key=w8Z3Jn9o0mYd&bouncer_public_key=f2Qm6ZrT0h8p")).not.toContain("***");
  });

  it("does not mask a short name in place of the e-mail address", () => {
    const mask = createExchangeMasks(noSecretPlaces)(
      recordedExchange({ call: "GET /messages", authorization: basic("me:") }),
    );
    expect(mask("GET /messages")).toBe("GET /messages");
  });
});

/** Headers with credentials, by what they are. Each value contains the secret. */
const credentialHeaders: Readonly<Record<string, readonly [name: string, value: string]>> = {
  "a cookie": ["cookie", `theme=dark; sid=${secret}`],
  "a cookie without a name": ["cookie", secret],
  "a cookie after one without a name": ["cookie", `a; b=${secret}`],
  "several Set-Cookie headers": ["set-cookie", `a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, sid=${secret}; Path=/`],
  "Set-Cookie without a name": ["set-cookie", secret],
  "X-Session": ["x-session", secret],
  Session: ["session", secret],
  "X-Auth-User": ["x-auth-user", secret],
  "X-CSRF": ["x-csrf", secret],
  "X-Token-Value": ["x-token-value", secret],
  "X-Sid": ["x-sid", secret],
  "X-Bearer": ["x-bearer", secret],
  DPoP: ["dpop", secret],
  "a proxy's credentials": ["proxy-authorization", `Bearer ${secret}`],
};

describe("every text about traffic", () => {
  it.each(Object.entries(credentialHeaders))("masks %s", async (_, [name, value]) => {
    const exchange = recordedExchange({ call: "GET /messages", authorization: null, headers: { [name]: value } });
    const answered = {
      ...exchange,
      response: { status: 200, headers: { [name]: value }, body: Buffer.from("{}"), bodyBytes: 2 },
    };
    const mask = createExchangeMasks(noSecretPlaces)(answered);
    const file = await writtenHar(answered, mask);
    const request = { method: "GET", url: "http://a.example/", headers: { [name]: value } };
    const response = { status: 200, headers: { [name]: value }, text: "{}" };
    const described = await describeExchange(request, response, createExchangeMasks(noSecretPlaces)(exchange));

    expect(JSON.stringify(described)).not.toContain(secret);
    expect(file).not.toContain(secret);
    expect(createMask([])(`a\n${name.includes("-") ? name : `x-${name}`}: ${value}\nb`)).not.toContain(secret);
  });

  it.each([
    ["www-authenticate", 'Basic realm="chat"'],
    ["access-control-allow-credentials", "true"],
    ["x-author", "Hamlet"],
    ["content-type", "application/json"],
  ])("shows %s", async (name, value) => {
    const exchange = recordedExchange({ call: "GET /messages", headers: { [name]: value } });
    expect(await writtenHar(exchange, createExchangeMasks(noSecretPlaces)(exchange))).toContain(
      JSON.stringify({ name, value }),
    );
  });
});

/** The text of a recording with one exchange. */
async function writtenHar(exchange: RecordedExchange, mask: Mask): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "accord-har-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "traffic.har");
  const writer = createHarWriter(file, { origin: "http://127.0.0.1:4011", version: "0.0.0" });
  writer.add(exchange, mask);
  await writer.end();
  return readFileSync(file, "utf8");
}

describe("a recording", () => {
  it("masks the target of a redirect", async () => {
    const exchange = recordedExchange({ call: "GET /messages", status: 302 });
    const location = `/login?api_key=${secret}`;
    const text = await writtenHar(
      { ...exchange, response: { status: 302, headers: { location }, body: Buffer.of(), bodyBytes: 0 } },
      createExchangeMasks(noSecretPlaces)(exchange),
    );
    expect(JSON.parse(text).log.entries[0].response.redirectURL).toBe("/login?api_key=***");
  });

  it("omits exchanges for which the file has no room", async () => {
    const folder = mkdtempSync(join(tmpdir(), "accord-har-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "traffic.har");
    const maxBytes = 5_000;
    const writer = createHarWriter(file, { origin: "http://127.0.0.1:4011", version: "0.0.0", maxBytes });
    for (let at = 0; at < 50; at++)
      writer.add(recordedExchange({ call: `GET /messages?topic=${"é".repeat(at)}` }), String);
    await writer.end();
    const text = readFileSync(file, "utf8");
    const { entries, comment } = JSON.parse(text).log;

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(comment).toBe(`${50 - entries.length} more exchanges are omitted`);
    expect(entries.length).toBeGreaterThan(1);
  });
});
