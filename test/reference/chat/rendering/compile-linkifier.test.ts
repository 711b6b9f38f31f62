import { describe, expect, it } from "vitest";
import { compileLinkifier } from "../../../../reference/chat/rendering/compile-linkifier.js";

const idTemplate = "https://example.com/{id}";

describe("a valid linkifier", () => {
  it.each([
    ["a named group", "#(?P<id>[0-9]+)", idTemplate],
    ["the other spelling of a named group", "#(?<id>[0-9]+)", idTemplate],
    ["no group at all", "docs!", "https://example.com/docs"],
    ["a group used twice", "#(?P<id>[0-9]+)", "https://example.com/{id}/{id}"],
    ["unnamed groups", "(issue|bug) (?P<id>[0-9]+)", idTemplate],
    ["a reserved expansion", "(?P<id>\\S+)!", "https://example.com/{+id}"],
    ["modifiers", "(?P<id>[a-z]+)!", "https://example.com/{id:3}{?id*}"],
    ["a path on this server", "#(?P<id>[0-9]+)", "/issues/{id}"],
    ["Unicode", "(?P<id>\\p{L}+)№", "https://example.com/é/{id}"],
    ["1000 characters", `[${"a".repeat(998)}]`, "https://example.com/"],
  ])("may have %s", (_, pattern, template) => {
    expect(compileLinkifier(pattern, template)).toMatchObject({ regexp: expect.anything() });
  });
});

describe("an invalid linkifier", () => {
  const groupPattern = "#(?P<id>[0-9]+)";
  it.each([
    ["empty pattern", "", idTemplate, /empty/],
    ["pattern too long", "a".repeat(1001), idTemplate, /longer than 1000/],
    ["unbalanced parenthesis", "(a", idTemplate, /not an RE2 regular expression/],
    ["parentheses that close each other", "a)(b", idTemplate, /not an RE2/],
    ["look-ahead", "a(?=b)", idTemplate, /look-around/],
    ["look-behind", "(?<!a)b", idTemplate, /look-around/],
    ["back-reference", "(a)\\1", idTemplate, /back-references/],
    ["the same group twice", "(?P<id>a)(?P<id>b)", idTemplate, /duplicate/],
    ["matches nothing", "(?P<id>a*)", idTemplate, /matches the empty string/],
    ["matches nothing in an alternative", "(?P<id>a)|", idTemplate, /matches the empty string/],
    ["matches only a boundary", "\\b", "https://example.com/", /matches the empty string/],
    ["matches only an end", "$", "https://example.com/", /matches the empty string/],
    ["a quotation that is not closed", "\\Qabc", "https://example.com/", /\\E/],
    ["repeat counts in all too large", "a{300}b{300}", "https://example.com/", /too large/],
    ["program too large", "(a{30}){30}", "https://example.com/", /too large/],
    ["many large repeats", "(\\pL{1000})".repeat(90), "https://example.com/", /too large/],
    ["nested repeats too large", "((a{100}){100}){100}", "https://example.com/", /not an RE2|too large/],
    ["a variable without group", groupPattern, "https://example.com/{id}/{other}", /\{other\}/],
    ["a group without variable", "(?P<id>a)(?P<spare>b)", idTemplate, /"spare"/],
    ["a name of Object.prototype", groupPattern, "https://example.com/{id}{constructor}", /\{constructor\}/],
    ["a script", groupPattern, "javascript:alert({id})", /never linked/],
    ["data", groupPattern, "data:text/html,{id}", /never linked/],
    ["empty template", groupPattern, "", /empty/],
    ["template too long", groupPattern, `https://example.com/{id}${"a".repeat(1000)}`, /longer than 1000/],
    ["brace not closed", groupPattern, "https://example.com/{id", /not one of RFC 6570/],
    ["brace not opened", groupPattern, "https://example.com/id}", /not one of RFC 6570/],
    ["braces in braces", groupPattern, "https://example.com/{{id}}", /not one of RFC 6570/],
    ["nothing in braces", groupPattern, "https://example.com/{}", /not one of RFC 6570/],
    ["operator alone", groupPattern, "https://example.com/{+}", /not one of RFC 6570/],
    ["reserved operator", groupPattern, "https://example.com/{=id}", /not one of RFC 6570/],
    ["reserved operator !", groupPattern, "https://example.com/{!id}", /not one of RFC 6570/],
    ["unknown operator", groupPattern, "https://example.com/{$id}", /not one of RFC 6570/],
    ["comma at the end", groupPattern, "https://example.com/{id,}", /not one of RFC 6570/],
    ["space in a variable", groupPattern, "https://example.com/{ id}", /not one of RFC 6570/],
    ["prefix of zero", groupPattern, "https://example.com/{id:0}", /not one of RFC 6570/],
    ["prefix too long", groupPattern, "https://example.com/{id:10000}", /not one of RFC 6570/],
    ["two modifiers", groupPattern, "https://example.com/{id:3*}", /not one of RFC 6570/],
    ["space in a literal", groupPattern, "https://example.com/a b{id}", /not one of RFC 6570/],
    ["markup in a literal", groupPattern, 'https://example.com/"><{id}', /not one of RFC 6570/],
    ["a broken escape", groupPattern, "https://example.com/%4{id}1", /not one of RFC 6570/],
    ["a control character", groupPattern, "https://example.com/\n{id}", /not one of RFC 6570/],
  ] as const)("is refused: %s", (_, pattern, template, message) => {
    expect(compileLinkifier(pattern, template)).toMatch(message);
  });
});
