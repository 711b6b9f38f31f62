import { describe, expect, it } from "vitest";
import { maxLinkifierLinks } from "../../../../reference/chat/rendering/linkify-patterns.js";
import { renderMessage } from "../../../../reference/chat/rendering/render-message.js";
import { htmlViolations } from "./html-violations.js";
import { linkifier, sampleContext } from "./sample-context.js";

const issue = linkifier("#(?P<id>[0-9]+)", "https://issues.example/{id}");

/** Targets and texts of links, in order. */
function links(content: string, linkifiers = [issue]): string[] {
  const { html } = renderMessage(content, sampleContext(linkifiers));
  expect(htmlViolations(html)).toEqual([]);
  return [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href, text]) => `${text} -> ${href}`);
}

describe("matches of linkifiers", () => {
  const twelve = ["#12 -> https://issues.example/12"];
  it.each([
    ["alone", "#12", twelve],
    ["in a sentence", "see (#12), please", twelve],
    ["at an end of a line", "a\n#12\nb", twelve],
    ["in bold", "**#12**", twelve],
    ["in a list, quote and table", "- > |#12|\n  > |-|", twelve],
    [
      "after another",
      "#1 #2,#3",
      ["#1 -> https://issues.example/1", "#2 -> https://issues.example/2", "#3 -> https://issues.example/3"],
    ],
    ["after an emoji", "😀#12", twelve],
    ["after a letter", "a#12 é#12 𝐀#12 _#12 7#12", []],
    ["after a letter written as an entity", "&#97;#12", []],
    ["before a letter", "#12a #12é #12_ #12𝐀", []],
    ["before a letter written as an entity", "#12&#97;", []],
    ["escaped", "\\#12", []],
    ["in code", "`#12`\n\n```\n#12\n```\n\n    #12", []],
    ["in a link", "[#12](https://a.example)", ["#12 -> https://a.example"]],
    ["in an address", "https://a.example/#12", ["https://a.example/#12 -> https://a.example/#12"]],
  ])("are linked in the right places: %s", (_, content, want) => {
    expect(links(content)).toEqual(want);
  });
});

describe("links of linkifiers", () => {
  it.each([
    [
      "an encoded value",
      "(?P<x>\\S+)!",
      "https://a.example/{x}",
      `a/b?"<é>!`,
      ["a/b?&quot;&lt;é&gt;! -> https://a.example/a%2Fb%3F%22%3C%C3%A9%3E"],
    ],
    [
      "nothing for a group that did not match",
      "#(?P<id>[0-9]+)(?P<part>-[a-z]+)?",
      "https://a.example/{id}{?part}",
      "#1",
      ["#1 -> https://a.example/1"],
    ],
    [
      "a match that leaves no word open",
      "(?P<n>[0-9]{2}|[0-9]{3})",
      "https://a.example/{n}",
      "123",
      ["123 -> https://a.example/123"],
    ],
    ["a path on the server", "#(?P<id>[0-9]+)", "/issues/{id}", "#1", []],
    ["a cut emoji", "x(?P<id>\\S+)", "https://a.example/{id:1}", "x😀", []],
    ["a very long URL", "x(?P<id>a+)", "https://a.example/{id}{id}", `x${"a".repeat(1001)}`, []],
    ["a script", "x(?P<id>\\S+)", "{+id}", "xjavascript:alert(1)", []],
    ["another host without scheme", "x(?P<id>\\S+)", "/{+id}", "x/evil.example", []],
    ["another host with a backslash", "x(?P<id>\\S+)", "{+id}", "x\\\\evil.example", []],
  ])("are created for %s", (name, pattern, template, content, want) => {
    const { html } = renderMessage(content, sampleContext([linkifier(pattern, template)]));
    if (name === "a path on the server")
      expect(html).toContain('<a href="/issues/1" rel="noopener noreferrer nofollow">');
    // Text that is not linked stays unchanged.
    else if (want.length === 0) expect(html).not.toMatch(/<a |\[|\]/);
    else expect(links(content, [linkifier(pattern, template)])).toEqual(want);
  });

  it("follow the order of the linkifiers, without overlap", () => {
    const words = linkifier("(?P<a>[A-Z]+-[0-9]+ \\S+)", "https://words.example/{a}");
    const tickets = linkifier("(?P<a>[A-Z]+-[0-9]+)", "https://tickets.example/{a}");
    expect(links("AB-1 CD-2 EF-3", [words, tickets])).toEqual([
      "AB-1 CD-2 -> https://words.example/AB-1%20CD-2",
      "EF-3 -> https://tickets.example/EF-3",
    ]);
    expect(links("AB-1 CD-2 EF-3", [tickets, words])).toEqual([
      "AB-1 -> https://tickets.example/AB-1",
      "CD-2 -> https://tickets.example/CD-2",
      "EF-3 -> https://tickets.example/EF-3",
    ]);
  });

  it("are bounded in number per message", () => {
    expect(links("#1 ".repeat(500))).toHaveLength(maxLinkifierLinks);
    expect(links("#1\n\n".repeat(500), [issue, issue])).toHaveLength(maxLinkifierLinks);
  });

  it("are created anywhere in a long text", () => {
    const noPrefix = linkifier("(?P<id>[0-9]+)", "https://issues.example/{id}");
    for (const each of [issue, noPrefix]) {
      const want = `${each === issue ? "#" : ""}123456`;
      for (let before = 0; before < 3000; before += 37) {
        const [link, ...others] = links(`${"é ".repeat(before)}😀${want}${" 😀".repeat(2000)}`, [each]);
        expect([link, others]).toEqual([`${want} -> https://issues.example/123456`, []]);
      }
    }
  });

  it("are created across the boundaries of search parts", () => {
    const noPrefix = linkifier("(?P<id>[0-9]+)", "https://issues.example/{id}");
    for (const around of [300, 700, 1700, 3900]) {
      for (let before = around - 10; before < around + 10; before++) {
        const content = `${".".repeat(before)}123456${".".repeat(5000)}`;
        expect(links(content, [noPrefix])).toEqual(["123456 -> https://issues.example/123456"]);
      }
    }
  });

  it("are omitted if the search would take too long", () => {
    const slow = linkifier("(?P<x>([^yz]?){90}[yz])", "https://a.example/{x}");
    expect(links(`${". ".repeat(500)}y`, [slow])).toHaveLength(1);
    expect(links(`${". ".repeat(4990)}y`, [slow])).toHaveLength(0);
    expect(links(`${". ".repeat(4990)}#12`, [slow, issue])).toHaveLength(1);
  });

  it("have at most 200 characters", () => {
    const letters = linkifier("x(?P<id>a+)", "https://a.example/{id}");
    for (const [length, want] of [
      [199, 1],
      [200, 0],
      [900, 0],
    ] as const) {
      for (const before of [0, 100, 299, 300, 301, 1000]) {
        const content = `${".".repeat(before)}x${"a".repeat(length)}${" .".repeat(500)}`;
        expect(links(content, [letters])).toHaveLength(want);
      }
    }
  });

  it("count as uploads if they link one", () => {
    const file = linkifier("file:(?P<path>\\S+)", "/user_uploads/{+path}");
    expect(renderMessage("file:1/a.pdf", sampleContext([file]))).toMatchObject({
      uploadPaths: new Set(["1/a.pdf"]),
    });
  });
});
