import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SubscriptionHeaders } from "../../../../reference/daemon/import/fetch/fetch-subscription.js";
import { readSubscriptionUrl } from "../../../../reference/daemon/import/read-subscription-url.js";
import { suggestedName } from "../../../../reference/daemon/import/suggested-name.js";
import { anyCharacter } from "../../../support/any-character.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";

const token = "6f1e2a9c04d84b7f9a35c1e0d27b88aa";

function nameOf(url: string, headers: SubscriptionHeaders = {}, redirects: readonly string[] = []): string {
  return suggestedName(headers, readSubscriptionUrl(url), redirects.map(readSubscriptionUrl));
}

const base64 = (text: string) => `base64:${Buffer.from(text).toString("base64")}`;
const titled = (profileTitle: string) => ({ profileTitle });
const attached = (name: string) => ({ contentDisposition: `attachment; filename="${name}"` });

describe("the suggested name", () => {
  const url = `https://sub.northwind.example/s/${token}#Wingtip%20mobile`;
  it.each<[string, string, SubscriptionHeaders, string]>([
    ["profile-title", url, { ...titled("Northwind"), ...attached("Fabrikam.txt") }, "Northwind"],
    ["profile-title in base64", url, titled("base64:VHJleSBSZXNlYXJjaA=="), "Trey Research"],
    ["profile-title in base64 without padding", url, titled("Base64: 6aaZ5riv"), "香港"],
    ["profile-title in base64 of the other alphabet", url, titled(base64("~~~???").replaceAll("/", "_")), "~~~???"],
    ["content-disposition", url, attached("Fabrikam.txt"), "Fabrikam"],
    ["content-disposition, if the title is empty", url, { ...titled(" "), ...attached("x.YAML") }, "x"],
    ["content-disposition, if the title is not base64", url, { ...titled("base64:%%%"), ...attached("x.yml") }, "x"],
    ["content-disposition, if the title is not text", url, { ...titled("base64:/w=="), ...attached("x.json") }, "x"],
    ["content-disposition, with other extensions", url, attached("v1.2.conf"), "v1.2.conf"],
    ["the fragment", url, {}, "Wingtip mobile"],
    ["the fragment, if the file has no name", url, attached(".txt"), "Wingtip mobile"],
    ["the host", `https://sub.northwind.example:8443/s/${token}`, {}, "sub.northwind.example"],
    ["the host, in ASCII", "https://BÜCHER.example/", {}, "xn--bcher-kva.example"],
    ["the host, if it is an address", "http://[2001:db8::1]:80/", {}, "2001:db8::1"],
    ["a constant, if a slash cut the password in two", "https://grace:12/secret@h.example/", {}, "Subscription"],
  ])("comes from %s", (_, from, headers, want) => {
    expect(nameOf(from, headers)).toBe(want);
  });

  it.each([
    ["Wingtip%20mobile", "Wingtip mobile"],
    ["香港", "香港"],
    ["%E9%A6%99%E6%B8%AF%2001", "香港 01"],
    ["Gründe", "Gründe"],
    ["Northwind", "Northwind"],
    ["northwind", "northwind"],
    ["VPN", "VPN"],
    ["key=pZ4sKd8HqT", undefined],
    ["key%3DpZ4sKd8HqT", undefined],
    ["pZ4sKd8HqT", undefined],
    ["pZ4sKd8HqT mobile", undefined],
    ["kJmPqLzXwTrB", undefined],
    ["香港 kJmPqLzXwTrB", undefined],
    [token, undefined],
    ["12345678", undefined],
    ["correct-horse", undefined],
    ["%7B%22key%22%3A%22a b%22%7D", undefined],
    ["{a b}", undefined],
    ["/route a", undefined],
    ["a?b c", undefined],
    ["a: b", undefined],
    ["a & b", undefined],
    ["a%2520b", undefined],
    ["Über%FF", undefined],
    ["x".repeat(30), undefined],
    ["", undefined],
    ["%20", undefined],
  ])("comes from the fragment %s only if it is clearly a name", (fragment, want) => {
    expect(nameOf(`https://h.example/s#${fragment}`)).toBe(want ?? "h.example");
  });
});

describe("a name that contains a part of the URL", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.dBjftJeZ4CVPmB92K27u";
  it.each([
    ["a path segment", `https://h.example/s/${token}`, token],
    ["a path segment in capitals", `https://h.example/s/${token}`, token.toUpperCase()],
    ["a piece of a path segment", `https://h.example/s/${token}`, `Northwind ${token.slice(4, 14)}`],
    ["a path segment with invisible characters", `https://h.example/s/${token}`, [...token].join("\u200d")],
    ["a path segment in full-width letters", "https://h.example/s/kJ8mPq4L", "ｋＪ８ｍＰｑ４Ｌ"],
    ["a percent-encoded path segment", "https://h.example/s/kJ8mPq4L", "%6bJ8mPq4L"],
    ["a path segment of 8 characters", "https://h.example/s/kJ8mPq4L", "sub-kJ8mPq4L"],
    ["a short path segment", "https://h.example/u/helga", "helga"],
    ["a short path segment in a sentence", "https://h.example/u/helga", "Account of Helga"],
    ["a query value", `https://h.example/x?flag=clash&token=${token}`, `${token} list`],
    ["a bare query", "https://h.example/x?Q7wXv2LmN9pR", "Q7wXv2LmN9pR"],
    ["the user name", "https://grace:vX9pLm3QwE@h.example/", "grace"],
    ["the password", "https://grace:vX9pLm3QwE@h.example/", "vX9pLm3QwE"],
    ["an encoded password", "https://g:s%C3%BC%C3%9F%2Fes%20Geheimnis@h.example/", "SÜSS/ES GEHEIMNIS"],
    [
      "user name and password in Basic credentials",
      "https://grace:vX9pLm3QwE@h.example/",
      Buffer.from("grace:vX9pLm3QwE").toString("base64"),
    ],
    ["the fragment", "https://h.example/x#key=pZ4sKd8HqT", "pZ4sKd8HqT"],
    ["a nested URL", `https://h.example/sub?url=https%3A%2F%2Fx.example%2Fs%2F${token}`, token],
    ["a part of a JWT", `https://h.example/sub/${jwt}`, jwt.split(".")[2] ?? ""],
    [
      "a path segment decoded from base64",
      `https://h.example/sub/${Buffer.from("helga,1762934400").toString("base64url")}Xy`,
      "helga",
    ],
  ])("is skipped: %s", (_, url, name) => {
    expect(nameOf(url, titled(name))).toBe("h.example");
    expect(nameOf(url, titled(base64(name)))).toBe("h.example");
    if (!/[/"]/.test(name)) expect(nameOf(url, attached(`${name}.txt`))).toBe("h.example");
    expect(nameOf(url, { ...titled(name), ...attached("Fabrikam.txt") })).toBe("Fabrikam");
  });

  it("is skipped if the part comes from a redirect target", () => {
    expect(nameOf("https://h.example/", titled(token), [`https://x.example/${token}`])).toBe("h.example");
  });

  it.each([
    ["https://usertoken123.cdn.example/x", "usertoken123"],
    ["https://usertoken123.cdn.example/x", "usertoken123.cdn"],
    ["https://usertoken123.cdn.example/x", "Nodes of UserToken123"],
    ["https://helga.cdn.example/x", "helga"],
    ["https://b\u00fccherwurm.example/x", "B\u00fccherwurm"],
    ["https://panel.example/x", "usertoken123"],
  ])("is skipped if it contains a part of the host of the redirect %s: %s", (redirect, title) => {
    expect(nameOf("https://panel.example/sub/usertoken123", titled(title), [redirect])).toBe("panel.example");
  });

  it("is used if it is in the host of the URL, even after redirects within the same domain", () => {
    const redirects = ["https://cdn.northwind.example/x", "https://northwind.example/y"];
    expect(nameOf("https://northwind.example/s", titled("Northwind"), redirects)).toBe("Northwind");
  });

  it.each([
    ["https://h.example/s/a", "Sub 1"],
    ["https://h.example/api/v1/client/subscribe?flag=clash&token=x1x1x1x1x1", "Clash Subscription"],
    ["https://northwind.example/northwind/x1x1x1x1x1", "Northwind"],
    ["https://h.example/x#Northwind", "Northwind"],
    ["https://h.example/?id=01", "Fabrikam 01"],
  ])("is used if the part is a common word: %s", (url, name) => {
    expect(nameOf(url, titled(name))).toBe(name);
  });
});

describe("a displayed name", () => {
  it.each([
    ["a\u0000b\u0007\u001b[31mc\u009f", "ab[31mc"],
    ["a\r\nb\tc  d\u2028e\ufefff", "a b c d e f"],
    ["\u202eevil\u2066\u200f\u061c", "evil"],
    ["a\ud800b", "ab"],
    ["می‌خواهم 👩‍💻", "می‌خواهم 👩‍💻"],
    ["x".repeat(200), "x".repeat(128)],
    [`${"x".repeat(127)}😀`, "x".repeat(127)],
    [`${"x".repeat(126)}😀`, `${"x".repeat(126)}😀`],
  ])("is cleaned: %j", (title, want) => {
    expect(nameOf("https://h.example/", titled(title))).toBe(want);
  });

  it("never contains a part of the URL", () => {
    const text = fc.string({ unit: anyCharacter });
    const secret = fc.string({ unit: fc.constantFrom(..."abcdefghXYZ0123456789-_"), minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(text, text, text, text, secret, fc.nat(3), (a, b, title, file, part, at) => {
        const url = [
          `https://h.example/${part}#${encodeURIComponent(a.replace(/\p{Cs}/gu, ""))}`,
          `https://h.example/?x=${part}`,
          `https://${part}@h.example/`,
          `https://h.example/#key=${part}`,
        ][at] as string;
        for (const headers of [titled(a + part + b), titled(title), attached(`${part}${file}`), {}]) {
          const name = nameOf(url, headers);
          expect(name.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(128);
          expect(name).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
          expect(name.toLowerCase()).not.toContain(part.toLowerCase());
        }
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });

  it("is found even for URLs of the maximum length", () => {
    const long = (separator: string) => `https://h.example/?${`kJ8mPq4L${separator}`.repeat(900)}`.slice(0, 8_192);
    const redirects = ["/", "&", "%2F", ",", "a"].map(long);
    expect(nameOf(long("-"), titled("not in there ".repeat(20)), redirects)).toContain("not in there");
  });
});
