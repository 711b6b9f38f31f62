import { describe, expect, it } from "vitest";
import { renderMessage } from "../../../../reference/chat/rendering/render-message.js";
import { htmlViolations } from "./html-violations.js";
import { sampleContext } from "./sample-context.js";

const context = sampleContext();
const rel = 'rel="noopener noreferrer nofollow"';
const external = `${rel} target="_blank"`;
const link = (href: string, text = href) => `<a href="${href}" ${external}>${text}</a>`;

function html(content: string): string {
  const rendered = renderMessage(content, context).html.trimEnd();
  expect(htmlViolations(rendered)).toEqual([]);
  return rendered;
}

describe("renderMessage with Markdown", () => {
  it.each([
    ["markup characters", `<b> & "q" 'a'`, "<p>&lt;b&gt; &amp; &quot;q&quot; 'a'</p>"],
    ["a quote of a list", "> - a\n> - b", "<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>"],
    ["fenced code", "```\n*a* <b>\n```", "<pre><code>*a* &lt;b&gt;\n</code></pre>"],
    ["fenced code of a language", "```c++ x\na\n```", '<pre><code class="language-c++">a\n</code></pre>'],
    ["fenced code of an odd language", '```"onload=1\na\n```', "<pre><code>a\n</code></pre>"],
    ["HTML", "<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
    ["a NUL and half a surrogate pair", "a\0b\uD800c", "<p>a\uFFFDb\uFFFDc</p>"],
    [
      "a reference, which chat does not have",
      "[a]: https://example.com\n\n[a]",
      `<p>[a]: <a href="https://example.com" ${external}>https://example.com</a></p>\n<p>[a]</p>`,
    ],
  ])("renders %s", (_, content, want) => {
    expect(html(content)).toBe(want);
  });
});

describe("renderMessage with links", () => {
  it.each([
    ["a link", "[a](https://example.com/b)", link("https://example.com/b", "a")],
    [
      "with a title",
      '[a](https://b.example "t&<")',
      `<a href="https://b.example" title="t&amp;&lt;" ${external}>a</a>`,
    ],
    ["an address", "https://example.com/?a=1&b", link("https://example.com/?a=1&amp;b")],
    ["an address with emphasis marks", "https://a.example/_b_*c*", `${link("https://a.example/_b_*c")}*`],
    ["an address too long", `https://a.example/${"b".repeat(1983)}`, `https://a.example/${"b".repeat(1983)}`],
    ["a link too long", `[a](https://a.example/${"b".repeat(1983)})`, `[a](https://a.example/${"b".repeat(1983)})`],
    ["a mail address", "a@example.com", link("mailto:a@example.com", "a@example.com")],
    ["an autolink", "<https://example.com>", link("https://example.com")],
    [
      "an image from elsewhere",
      "![a *b*](https://b.example/c.png)",
      `!${link("https://b.example/c.png", "a <em>b</em>")}`,
    ],
    ["no address", "[a]()", "[a]()"],
    ["another scheme", "[a](ftp://b.example) ftp://b.example", "[a](ftp://b.example) ftp://b.example"],
    [
      "an autolink in a link",
      "[<https://a.example>](https://b.example)",
      link("https://b.example", "https://a.example"),
    ],
    [
      "an image in a link",
      "[![a](https://a.example)](https://b.example)",
      `[!${link("https://a.example", "a")}](${link("https://b.example")})`,
    ],
    ["a channel in a link", "[#**general**](https://b.example)", link("https://b.example", "#general")],
  ])("renders %s", (_, content, want) => {
    expect(html(content)).toBe(`<p>${want}</p>`);
  });
});

describe("renderMessage with mentions and channel links", () => {
  const iago = '<span class="user-mention" data-user-id="7">@Iago Moor</span>';
  it.each([
    ["a user in a link", "[@**Iago Moor**](https://b.example)", `<a href="https://b.example" ${external}>${iago}</a>`],
    ["a topic", "@**topic**", '<span class="topic-mention" data-user-id="*">@topic</span>'],
    [
      "a name with markup",
      `@**<img src=x onerror=alert(1)>"&** @*<b>&* #**"on load**`,
      '<span class="user-mention" data-user-id="10">@&lt;img src=x onerror=alert(1)&gt;&quot;&amp;</span> ' +
        '<span class="user-group-mention" data-user-group-id="4">@&lt;b&gt;&amp;</span> ' +
        `<a class="stream" data-stream-id="11" href="#narrow/channel/11-.22on-load" ${rel}>#&quot;on load</a>`,
    ],
  ])("renders %s", (_, content, want) => {
    expect(html(content)).toBe(`<p>${want}</p>`);
  });
});

describe("renderMessage with facts about a message", () => {
  const noFacts = {
    mentionedUserIds: [],
    mentionsChannel: false,
    mentionsTopic: false,
    uploadPaths: [],
    isMe: false,
  };
  it.each([
    ["mentions in code", "`@**all**` ``@*ops*``\n\n```\n@**Iago Moor**\n```\n\n    @**topic**", {}],
    ["topic", "@**topic**", { mentionsTopic: true }],
  ])("renders %s", (_, content, want) => {
    const { html: _html, mentionedUserIds, uploadPaths, ...flags } = renderMessage(content, context);
    expect({ ...flags, mentionedUserIds: [...mentionedUserIds], uploadPaths: [...uploadPaths] }).toEqual({
      ...noFacts,
      ...want,
    });
  });
});

describe("renderMessage with many names", () => {
  it("looks up each name once, and at most 500 names", () => {
    const rendered: string[] = [];
    const curious = {
      ...context,
      findUser: (name: string) => {
        rendered.push(name);
        return undefined;
      },
    };
    renderMessage("@**a** [@**a**](https://b.example) ".repeat(20), curious);
    expect(rendered).toEqual(["a"]);
    renderMessage(Array.from({ length: 900 }, (_, index) => `@**${index}**`).join(" "), curious);
    expect(rendered).toHaveLength(501);
  });
});
