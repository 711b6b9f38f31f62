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
    ["nothing", "", ""],
    ["markup characters", `<b> & "q" 'a'`, "<p>&lt;b&gt; &amp; &quot;q&quot; 'a'</p>"],
    ["emphasis", "*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>"],
    ["a quote of a list", "> - a\n> - b", "<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>"],
    ["a line break", "a\nb", "<p>a<br>\nb</p>"],
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
    ["a host without scheme", "see example.com.", "see example.com."],
    ["a mail address", "a@example.com", link("mailto:a@example.com", "a@example.com")],
    ["an autolink", "<https://example.com>", link("https://example.com")],
    ["an upload", "[a](/user_uploads/1/ab/a.pdf)", `<a href="/user_uploads/1/ab/a.pdf" ${rel}>a</a>`],
    [
      "an image from elsewhere",
      "![a *b*](https://b.example/c.png)",
      `!${link("https://b.example/c.png", "a <em>b</em>")}`,
    ],
    ["an uploaded image", "![a](/user_uploads/1/c.png)", `!<a href="/user_uploads/1/c.png" ${rel}>a</a>`],
    ["an image without address", "![a](b) !a ![a]", "![a](b) !a ![a]"],
    ["no address", "[a]()", "[a]()"],
    ["a relative address", "[a](b.html) [a](/b) [a](#b)", "[a](b.html) [a](/b) [a](#b)"],
    ["another host without scheme", "[a](//b.example) //b.example", "[a](//b.example) //b.example"],
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
  const general = `<a class="stream" data-stream-id="5" href="#narrow/channel/5-general" ${rel}>#general</a>`;
  it.each([
    ["a user", "@**Iago Moor**", iago],
    ["a user between punctuation", "(@**Iago Moor**)!", `(${iago})!`],
    ["a user by id", "@**Same Name|9**", '<span class="user-mention" data-user-id="9">@Same Name</span>'],
    ["a user by the wrong id", "@**Iago Moor|9**", "@<strong>Iago Moor|9</strong>"],
    ["a silent one", "@_**Iago Moor**", '<span class="user-mention silent" data-user-id="7">Iago Moor</span>'],
    ["an unknown user", "@**Nobody**", "@<strong>Nobody</strong>"],
    ["nothing", "@**** @** @", "@**** @** @"],
    ["a user after a letter", "a@**Iago Moor**", "a@<strong>Iago Moor</strong>"],
    ["an escaped one", "\\@**Iago Moor**", "@<strong>Iago Moor</strong>"],
    ["a user in bold", "**a @**Iago Moor** b**", `<strong>a ${iago} b</strong>`],
    ["a user in code", "`@**Iago Moor**`", "<code>@**Iago Moor**</code>"],
    ["a user in a link", "[@**Iago Moor**](https://b.example)", `<a href="https://b.example" ${external}>${iago}</a>`],
    ["a group", "@*ops*", '<span class="user-group-mention" data-user-group-id="3">@ops</span>'],
    ["a silent group", "@_*ops*", '<span class="user-group-mention silent" data-user-group-id="3">ops</span>'],
    ["an unknown group", "@*none*", "@<em>none</em>"],
    [
      "everyone",
      "@**everyone**",
      '<span class="user-mention channel-wildcard-mention" data-user-id="*">@everyone</span>',
    ],
    ["a topic", "@**topic**", '<span class="topic-mention" data-user-id="*">@topic</span>'],
    ["a channel", "#**general**", general],
    ["an unknown channel", "#**none**", "#<strong>none</strong>"],
    ["a channel after a letter", "a#**general**", "a#<strong>general</strong>"],
    [
      "a topic of a channel",
      "#**general>50% (a/b) v1.2**",
      `<a class="stream-topic" data-stream-id="5" href="#narrow/channel/5-general/topic/50.25.20.28a.2Fb.29.20v1.2E2" ${rel}>#general &gt; 50% (a/b) v1.2</a>`,
    ],
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
    ["nothing", "hello", {}],
    ["users", "@**Iago Moor** > @**Same Name|9** @**Iago Moor**", { mentionedUserIds: [7, 9] }],
    ["the members of a group", "@**Same Name|8** @*ops* @*ops*", { mentionedUserIds: [8, 7, 20] }],
    ["a user in a table", "|a|\n|-|\n|@**Iago Moor**|", { mentionedUserIds: [7] }],
    ["silent mentions", "@_**Iago Moor** @_*ops* @_**all** @_**topic**", {}],
    ["mentions in code", "`@**all**` ``@*ops*``\n\n```\n@**Iago Moor**\n```\n\n    @**topic**", {}],
    [
      "mentions in a description",
      "![@**all** @*ops*](/user_uploads/1/a)",
      { uploadPaths: ["1/a"], mentionsChannel: true, mentionedUserIds: [7, 20] },
    ],
    ["all", "@**all**", { mentionsChannel: true }],
    ["everyone", "@**everyone**", { mentionsChannel: true }],
    ["channel", "@**channel**", { mentionsChannel: true }],
    ["stream", "@**stream**", { mentionsChannel: true }],
    ["another spelling of all", "@**All** @*all* @all", {}],
    ["topic", "@**topic**", { mentionsTopic: true }],
    ["a channel link", "#**general** #**general>a**", {}],
    ["a link", "https://example.com", {}],
    ["an upload", "[a](/user_uploads/1/ab/c%20d.pdf?x#y)", { uploadPaths: ["1/ab/c d.pdf"] }],
    ["an upload twice", "[a](/user_uploads/1/a) [b](/user_uploads/1/a#b)", { uploadPaths: ["1/a"] }],
    ["an upload in code", "`[a](/user_uploads/1/a)`", {}],
    ["an upload not linked", "/user_uploads/1/a", {}],
    ["an upload of another server", "https://b.example/user_uploads/1/a", {}],
    ["me", "/me waves", { isMe: true }],
    ["me alone", "/me", {}],
    ["me after a space", " /me waves", {}],
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
