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
    expect(compileLinkifier(pattern, template).kind).toBe("compiled");
  });
});

describe("an invalid linkifier", () => {
  const groupPattern = "#(?P<id>[0-9]+)";
  it.each([
    ["empty pattern", "", idTemplate, "pattern", /empty/],
    ["pattern too long", "a".repeat(1001), idTemplate, "pattern", /longer than 1000/],
    ["unbalanced parenthesis", "(a", idTemplate, "pattern", /not an RE2 regular expression/],
    ["parentheses that close each other", "a)(b", idTemplate, "pattern", /not an RE2/],
    ["look-ahead", "a(?=b)", idTemplate, "pattern", /look-around/],
    ["look-behind", "(?<!a)b", idTemplate, "pattern", /look-around/],
    ["back-reference", "(a)\\1", idTemplate, "pattern", /back-references/],
    ["the same group twice", "(?P<id>a)(?P<id>b)", idTemplate, "pattern", /duplicate/],
    ["matches nothing", "(?P<id>a*)", idTemplate, "pattern", /matches the empty string/],
    ["matches nothing in an alternative", "(?P<id>a)|", idTemplate, "pattern", /matches the empty string/],
    ["matches only a boundary", "\\b", "https://example.com/", "pattern", /matches the empty string/],
    ["matches only an end", "$", "https://example.com/", "pattern", /matches the empty string/],
    ["a quotation that is not closed", "\\Qabc", "https://example.com/", "pattern", /\\E/],
    ["repeat counts in all too large", "a{300}b{300}", "https://example.com/", "pattern", /too large/],
    ["program too large", "(a{30}){30}", "https://example.com/", "pattern", /too large/],
    ["many large repeats", "(\\pL{1000})".repeat(90), "https://example.com/", "pattern", /too large/],
    ["nested repeats too large", "((a{100}){100}){100}", "https://example.com/", "pattern", /not an RE2|too large/],
    ["a variable without group", groupPattern, "https://example.com/{id}/{other}", "url_template", /\{other\}/],
    ["a group without variable", "(?P<id>a)(?P<spare>b)", idTemplate, "url_template", /"spare"/],
    [
      "a name of Object.prototype",
      groupPattern,
      "https://example.com/{id}{constructor}",
      "url_template",
      /\{constructor\}/,
    ],
    ["a script", groupPattern, "javascript:alert({id})", "url_template", /never linked/],
    ["data", groupPattern, "data:text/html,{id}", "url_template", /never linked/],
    ["empty template", groupPattern, "", "url_template", /empty/],
    [
      "template too long",
      groupPattern,
      `https://example.com/{id}${"a".repeat(1000)}`,
      "url_template",
      /longer than 1000/,
    ],
    ["brace not closed", groupPattern, "https://example.com/{id", "url_template", /brace/],
    ["brace not opened", groupPattern, "https://example.com/id}", "url_template", /brace/],
    ["braces in braces", groupPattern, "https://example.com/{{id}}", "url_template", /brace/],
    ["nothing in braces", groupPattern, "https://example.com/{}", "url_template", /\{\}/],
    ["operator alone", groupPattern, "https://example.com/{+}", "url_template", /\{\+\}/],
    ["reserved operator", groupPattern, "https://example.com/{=id}", "url_template", /"="/],
    ["reserved operator !", groupPattern, "https://example.com/{!id}", "url_template", /"!"/],
    ["unknown operator", groupPattern, "https://example.com/{$id}", "url_template", /\{\$id\}/],
    ["comma at the end", groupPattern, "https://example.com/{id,}", "url_template", /\{id,\}/],
    ["space in a variable", groupPattern, "https://example.com/{ id}", "url_template", /\{ id\}/],
    ["prefix of zero", groupPattern, "https://example.com/{id:0}", "url_template", /":0"/],
    ["prefix too long", groupPattern, "https://example.com/{id:10000}", "url_template", /":10000"/],
    ["two modifiers", groupPattern, "https://example.com/{id:3*}", "url_template", /":3\*"/],
    ["space in a literal", groupPattern, "https://example.com/a b{id}", "url_template", /percent-encoded/],
    ["markup in a literal", groupPattern, 'https://example.com/"><{id}', "url_template", /percent-encoded/],
    ["a broken escape", groupPattern, "https://example.com/%4{id}1", "url_template", /percent-encoded/],
    ["a control character", groupPattern, "https://example.com/\n{id}", "url_template", /percent-encoded/],
  ] as const)("is refused: %s", (_, pattern, template, parameter, message) => {
    expect(compileLinkifier(pattern, template)).toEqual({
      kind: "invalid",
      problem: { parameter, message: expect.stringMatching(message) },
    });
  });
});
