import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadDaemonCases } from "../../src/daemon/daemon-contract.js";
import { redactUrl } from "../../src/secrets/redact-url.js";

describe("redactUrl", () => {
  const table: readonly (readonly [given: string, want: string])[] = [
    ["https://sub.example", "https://sub.example"],
    ["https://sub.example/s/t0ken", "https://sub.example"],
    ["https://sub.example:8443/?token=t0ken#t0ken", "https://sub.example:8443"],
    ["https://sub.example?t0ken", "https://sub.example"],
    ["https://sub.example#t0ken", "https://sub.example"],
    ["HTTPS://SUB.example:443/", "https://sub.example"],
    ["http://me:t0ken@sub.example/", "http://sub.example"],
    ["http://t0ken@[::1]:80/", "http://[::1]"],
    ["https://bücher.example/t0ken", "https://xn--bcher-kva.example"],
    // Not a URL, or not one that a daemon fetches.
    ["", "[redacted]"],
    ["t0ken", "[redacted]"],
    ["https://", "[redacted]"],
    ["https:///t0ken", "[redacted]"],
    ["https:t0ken", "[redacted]"],
    ["https:/t0ken/", "[redacted]"],
    ["https:\\\\t0ken\\", "[redacted]"],
    ["https://sub.example:https/s/t0ken", "[redacted]"],
    ["http://[broken/t0ken", "[redacted]"],
    ["/s/t0ken", "[redacted]"],
    ["ss://t0ken#name", "[redacted]"],
    ["vmess://t0ken", "[redacted]"],
    ["ftp://me:t0ken@ftp.example/", "[redacted]"],
    ["data:,t0ken", "[redacted]"],
    // The password contains a character that ends the host.
    ["https://t0k/en@sub.example/", "[redacted]"],
    ["https://me:12?t0ken@sub.example/", "[redacted]"],
    ["https://t0k#en@sub.example/", "[redacted]"],
    ["https://t0k\\en@sub.example/", "[redacted]"],
    ["https://me@t0k/en@sub.example/", "[redacted]"],
  ];
  it.each(table)("turns %j into %j", (given, want) => {
    expect(redactUrl(given)).toBe(want);
  });

  // Letters that occur in no host and no placeholder, and characters that parsers treat specially.
  const secret = fc
    .string({
      minLength: 1,
      unit: fc.constantFrom("Q", "7", "/", "?", "#", "@", ":", "\\", "%", "&", "=", " ", "\t", "\n"),
    })
    .map((text) => `Zz${text}Zz`);

  it("hides secrets in every part of a URL, encoded or not", () => {
    const places = fc.constantFrom<(text: string) => string>(
      (text) => `https://${text}@host.example/`,
      (text) => `https://me:${text}@host.example/`,
      (text) => `https://host.example/${text}`,
      (text) => `https://host.example?${text}`,
      (text) => `https://host.example/?token=${text}`,
      (text) => `https://host.example/#${text}`,
      (text) => `https:${text}`,
      (text) => `https:/${text}`,
      (text) => `https:///${text}`,
      (text) => `ss://${text}`,
      (text) => text,
    );
    fc.assert(
      fc.property(places, secret, fc.boolean(), (place, text, encoded) => {
        expect(redactUrl(place(encoded ? encodeURIComponent(text) : text))).not.toMatch(/zz|q|7/i);
      }),
      { numRuns: 2000 },
    );
  });

  it("returns a placeholder or an origin for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl({ withFragments: true, withQueryParameters: true })), (text) => {
        const shown = redactUrl(text);
        if (shown !== "[redacted]") expect(new URL(shown).origin).toBe(shown);
      }),
    );
  });

  it("matches the URLs in the errors of the cases", async () => {
    const { cases } = await loadDaemonCases();
    const shown = cases.flatMap(({ name, request, error }) => {
      const where = /\((https?:.*)\)$/.exec(error?.message ?? "")?.[1];
      return where === undefined ? [] : [{ name, where, want: redactUrl(String(request.url)) }];
    });
    expect(shown.filter(({ where, want }) => where !== want)).toEqual([]);
    expect(shown.length).toBeGreaterThan(0);
  });
});
