import { describe, expect, it } from "vitest";
import { renderMessage } from "../../../../reference/chat/rendering/render-message.js";
import { htmlViolations } from "./html-violations.js";
import { linkifier } from "./sample-context.js";

const maxLength = 10_000;
// More than every output below needs, and far less than quadratic output.
const maxOutput = 600_000;

const everyone = {
  linkifiers: [],
  findUser: (name: string, id?: number) => ({ id: id ?? 7, name }),
  findGroup: (name: string) => ({ id: 3, name, memberIds: [7] }),
  findChannel: (name: string) => ({ id: 5, name }),
};
const nobody = { ...everyone, findUser: () => undefined, findGroup: () => undefined, findChannel: () => undefined };
const patterns = [
  "(?P<x>.{0,100}[yz])",
  "(?P<x>(.?){80}[yz])",
  "(?P<x>((.?){1,10}){1,8}[yz])",
  "(?P<x>(.*)(.*)(.*)[yz])",
  "(?P<x>a(.*[yz])?)",
  "(?P<x>(a|b)*a(a|b){12}[yz])",
  "(?P<x>[0-9a-z]+)",
  "(?P<x>\\S)",
  "#(?P<x>[^y]*y)?",
  "(?P<x>\\S+)",
];
const nasty = {
  ...everyone,
  linkifiers: Array.from({ length: 30 }, (_, index) =>
    linkifier(patterns[index % patterns.length] ?? "", `https://a.example/${"{x}&".repeat(100)}`),
  ),
};

/** Pieces of Markdown, separated by commas. */
const pieces = (text: string) => text.split(",");
const repeated = [
  ...'[]*_~`><-+#@!\\"&|:.%=a\n\t',
  ...pieces("> ,- ,1. ,-\n,> - ,- > ,* * ,![,[](,[a](,[a](<,![[,[[](,[a]: b\n,``` ,`` ` "),
  ...pieces("*a ,**a *,*a_ ,*a**,~~a ,@**,@**a** ,@*a* ,@_**a** ,#**,#**a** ,#**a>b** ,@**|1**"),
  ...pieces("http://,http://a.b ,http://a/(,http://|1#,http://1.2.3.4.5/,ftp://a.b/,http://é.é ,a@b.c ,a@,www.a.b "),
  ...pieces("//,<http://a.b>,&amp;,&#x,<!--,<a ,a ,ab ,#a ,a\n,a\n\n,|\n,a|b\n-|-\n,a\n=\n,```\n,~~~ ,😀,\u0301"),
  "![a](/user_uploads/a) ",
];

const composed: readonly (readonly [string, string])[] = [
  ["quotes, each deeper", Array.from({ length: 138 }, (_, depth) => `${">".repeat(depth)} a`).join("\n")],
  ["lists, each deeper", Array.from({ length: 95 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")],
  ["deep quotes again and again", `${">".repeat(45)}a\n`.repeat(210)],
  ["a deep quote with many lines", `${">".repeat(40)}\n${">\n".repeat(4900)}`],
  ["a deep list with many lines", `${"- ".repeat(20)}\n${"a\n".repeat(4900)}`],
  ["images in images", `${"![".repeat(700)}a${"](http://b)".repeat(700)}`],
  ["links in links", `${"[".repeat(1600)}a${"](b)".repeat(1600)}`],
  ["parentheses in an address", `[a](${"(".repeat(4990)}${")".repeat(4990)}`],
  ["backticks, each longer", Array.from({ length: 139 }, (_, length) => "`".repeat(length)).join(" ")],
  ["stars, each longer", Array.from({ length: 138 }, (_, length) => `${"*".repeat(length)}a`).join("")],
  ["mostly unclosed stars", `${"*a ".repeat(1600)}${"b* ".repeat(1600)}`],
  ["a table with empty rows", `${"|".repeat(1000)}\n${"|-".repeat(999)}|\n${"|\n".repeat(3000)}`],
  ["a table with the maximum number of cells", `${"|a".repeat(9)}\n${"|-".repeat(9)}\n${"|\n".repeat(1000)}`],
  ["tables in a row", "a|b|c|d|e|f|g|h\n-|-|-|-|-|-|-|-\n".repeat(310)],
  ["a long address used often", `[a]: http://${"x".repeat(5000)}\n\n${"[a]".repeat(1600)}`],
];

const inputs = [
  ...repeated.map((piece) => [JSON.stringify(piece), piece.repeat(Math.floor(maxLength / piece.length))] as const),
  ...composed,
];

describe.each([
  ["an organization in which every name exists", everyone],
  ["an organization without any names", nobody],
  ["an organization with 30 expensive linkifiers", nasty],
] as const)("messages of %s", (_, context) => {
  it.each(inputs)("have bounded output: %s", (_name, content) => {
    expect(content.length).toBeLessThanOrEqual(maxLength);
    const { html } = renderMessage(content, context);
    expect(html.length).toBeLessThan(maxOutput);
    expect(htmlViolations(html)).toEqual([]);
  });
});

describe("text beyond a limit", () => {
  it.each([
    ["below many quotes", `${">".repeat(200)}last`],
    ["below many lists", `${"- ".repeat(200)}last`],
    ["below quotes and lists", `${"> - ".repeat(100)}last`],
    ["in a table too large", `${"|a".repeat(100)}\n${"|-".repeat(100)}\n${"|\n".repeat(1000)}last`],
    ["after many open brackets", `${"[".repeat(500)}last`],
    ["after many images", `${"![".repeat(300)}a${"](http://b)".repeat(300)}last`],
  ])("is kept %s", (_, content) => {
    expect(renderMessage(content, everyone).html).toContain("last");
  });
});
