import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMask } from "../../src/judge/mask.js";
import { anyCharacter } from "../support/any-character.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";
import { spellings } from "../support/spellings.js";

const key = "p+w/ é\"'\\x%41 y&z=1";

/** Decodes all base64 in a text. */
function decodedBase64(text: string): string {
  return [...text.matchAll(/[A-Za-z0-9+/_-]{4,}/g)]
    .map(([run]) => Buffer.from(run, "base64").toString("utf8"))
    .join("\n");
}

describe("createMask", () => {
  it.each(Object.entries(spellings))("masks a secret %s", (_, spell) => {
    const text = `before ${spell(key)} after`;
    const result = createMask([key])(text);
    expect(result).toMatch(/^before .*\*\*\*.* after$/);
    expect(result).not.toContain(spell(key));
    expect(result).not.toContain("%41");
    expect(result).not.toContain("z=1");
  });

  it.each([
    ["alone", "SecretSecret", "is SecretSecret.", "is ***."],
    ["twice", "Secret", "Secret and Secret", "*** and ***"],
    ["in part percent-encoded", "ab/cd e", "x=a%62/c%64%20e&y=1", "x=***&y=1"],
    ["with mixed hex digits", "a/ü/b", "a%2f%C3%bc%2Fb", "***"],
    [
      "in a header of HTTP Basic",
      "k3y!key",
      `authorization: Basic ${btoa("me@x.org:k3y!key")}`,
      "authorization: Basic ***",
    ],
    ["as a pair", "me@x.org:k3y!key", `it had ${btoa("me@x.org:k3y!key")} in it`, "it had *** in it"],
    ["within a pair in base64", "verysecretkey", `<${btoa("a:verysecretkey")}>`, "<YT***>"],
  ])("masks a secret %s", (_, secret, text, want) => {
    expect(createMask([secret])(text)).toBe(want);
  });

  it("masks the longest of several secrets with a common prefix, and all overlapping secrets", () => {
    expect(createMask(["abcd", "abcdefgh"])("abcdefgh abcdef")).toBe("*** ***ef");
    expect(createMask(["abcdef", "defghi"])("abcdefghi")).toBe("***");
  });

  it("ignores secrets of fewer than four characters", () => {
    expect(createMask(["", "a", "abc"])("abc a")).toBe("abc a");
    expect(createMask(["abcd"])("abcd")).toBe("***");
  });

  it.each([
    "GET /api/v1/messages?anchor=17&num_before=2 HTTP/1.1\nAccept: application/json\n\n",
    '{"result":"success","msg":"","token_kind":"apns","tokens":["a"],"password_required":true}',
    "token: must be string",
    "the token is required; Basic authentication is not offered",
    'WWW-Authenticate: Basic realm="chat"',
    "http://127.0.0.1:9991/api/v1?x=a@b",
    "curl --user-agent 'x:y' -X POST 'http://localhost/a'",
    "password=&token=",
    '{"password":"","token":null,"api_key":{"a":1}}',
  ])("keeps a text without secrets: %s", (text) => {
    expect(createMask(["unrelated"])(text)).toBe(text);
  });

  it.each([
    ["Authorization: Basic bWU6a2V5", "Authorization: Basic ***"],
    ["authorization: Bearer abc.def\r\nAccept: */*", "authorization: Bearer ***\r\nAccept: */*"],
    ["Authorization: something else\nB: c", "Authorization: ***\nB: c"],
    ["Set-Cookie: session=1; Path=/\nB: c", "Set-Cookie: ***\nB: c"],
    ["< Cookie: session=1", "< Cookie: ***"],
    ["X-Api-Key: 123\nB: c", "X-Api-Key: ***\nB: c"],
    ["curl -H 'Authorization: Basic abc' -H 'Accept: x'", "curl -H 'Authorization: Basic ***' -H 'Accept: x'"],
    ["curl -H 'Cookie: a='\\''b'\\''; c=d' -d x", "curl -H 'Cookie: ***' -d x"],
    ["curl -u me@x.org:key http://x", "curl -u me@x.org:*** http://x"],
    ["curl --user 'me@x.org:key' http://x", "curl --user 'me@x.org:***' http://x"],
    ["curl --data-urlencode 'token=a b c' http://x", "curl --data-urlencode 'token=***' http://x"],
    ["curl -d 'a=1&password=p%26q&b=2'", "curl -d 'a=1&password=***&b=2'"],
    ["curl -d 'password=a'\\''b&c=d'\\''e'", "curl -d 'password=***&c=d'\\''e'"],
    [`-d "token=a\\"b'c&d=e"`, `-d "token=***&d=e"`],
    ['-d "token=a\\&b=c"', '-d "token=***&b=c"'],
    ["appid=org.x&token=7feab5&x=1", "appid=org.x&token=***&x=1"],
    ["/fetch_api_key?api_key=abc#f", "/fetch_api_key?api_key=***"],
    ['{"api_key": "a\\"b", "email": "me"}', '{"api_key": "***", "email": "me"}'],
    ['{"password":12345}', '{"password":***}'],
    ['"{\\"new_password\\":\\"abc\\"}"', '"{\\"new_password\\":\\"***\\"}"'],
    ["x=%7B%22token%22%3A%22abc%22%7D", "x=%7B%22token%22%3A%22***%22%7D"],
    ["see https://user:word@host/path", "see https://user:***@host/path"],
    ["it said Basic bWU6a2V5 to it", "it said Basic *** to it"],
    [
      'Content-Disposition: form-data; name="token"\r\nContent-Type: text/plain\r\n\r\na\nb\r\n--x\r\n',
      'Content-Disposition: form-data; name="token"\r\nContent-Type: text/plain\r\n\r\n***\r\n--x\r\n',
    ],
  ])("masks unknown secrets in %s", (text, want) => {
    const mask = createMask([]);
    expect(mask(text)).toBe(want);
    expect(mask(want)).toBe(want);
  });

  it("masks any secret in any spelling in any text", () => {
    const texts = fc.string({ unit: anyCharacter, maxLength: 30 });
    // A secret with asterisks may be a part of the mask.
    const secrets = fc
      .string({ unit: anyCharacter, minLength: 6, maxLength: 30 })
      .filter((text) => !text.includes("*"));
    fc.assert(
      fc.property(
        secrets,
        fc.constantFrom(...Object.values(spellings)),
        texts,
        texts,
        (secret, spell, before, after) => {
          const result = createMask([secret])(`${before} ${spell(secret)} ${after}`);
          expect(result).not.toContain(spell(secret));
          expect(decodedBase64(result)).not.toContain(secret);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(500) },
    );
  });

  it("keeps a text without secrets, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string({ unit: anyCharacter })), (text, secrets) => {
        const mask = createMask(secrets);
        const once = mask(text);
        expect(once === text || once.includes("***")).toBe(true);
        expect(createMask([])(once)).toBe(once);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it.each([
    ["quotes", "'token=' ".repeat(100_000)],
    ["parts", 'name="token"\n'.repeat(20_000)],
    ["names", "token".repeat(200_000)],
    ["users", "://a:".repeat(50_000)],
    ["escapes", "%25\\\\'\\''".repeat(20_000)],
    ["members", '"token":"'.repeat(30_000)],
    ["words", "Basic ".repeat(40_000)],
    ["options", " -u a".repeat(40_000)],
    ["form fields in double quotes", '"token=a&\\'.repeat(300_000)],
    ["form fields in single quotes", "'\\''token=a&".repeat(300_000)],
  ])("does not take quadratic time for a long text of %s", (_, text) => {
    // Quadratic time would take minutes.
    expect(createMask(["a".repeat(30), "%25%25%25%25", "tokentokentoken"])(text)).not.toBe("");
  });
});
