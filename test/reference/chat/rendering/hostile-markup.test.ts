import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderMessage } from "../../../../reference/chat/rendering/render-message.js";
import { anyCharacter } from "../../../support/any-character.js";
import { htmlViolations } from "./html-violations.js";
import { linkifier, sampleContext } from "./sample-context.js";

const evilName = `"><img src=x onerror=alert(1)>'&lt;`;
/** An organization in which every name exists and is hostile, with linkifiers that match anything. */
const hostile = {
  ...sampleContext([
    linkifier("!(?P<x>\\S+)", "{+x}"),
    linkifier("\\$(?P<x>\\S+)", "{+x}"),
    linkifier("%(?P<x>\\S+)", "https://a.example/{+x}{#x}"),
    linkifier("(?P<x>[a-z<>\"'&]+)", "/{x}"),
    linkifier("\\^(?P<x>\\S+)", "/{+x}"),
  ]),
  findUser: (name: string, id?: number) => ({ id: id ?? 1, name: name + evilName }),
  findGroup: (name: string) => ({ id: 2, name: name + evilName, memberIds: [] }),
  findChannel: (name: string) => ({ id: 3, name: name + evilName }),
};
const plain = sampleContext([linkifier("#(?P<id>[0-9]+)", "https://issues.example/{id}")]);

function violations(content: string): string[] {
  return [
    ...htmlViolations(renderMessage(content, plain).html),
    ...htmlViolations(renderMessage(content, hostile).html, { ownPaths: true }),
  ];
}

const addresses = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "javascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A&#x61;vascript:alert(1)",
  "java&Tab;script:alert(1)",
  "java&NewLine;script:alert(1)",
  "javascript\\:alert(1)",
  "javascript%3Aalert(1)",
  "javascript://a.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/png;base64,AAAA",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://a.example/1",
  "view-source:https://a.example",
  "//a.example",
  "\\\\a.example",
  "/\\a.example",
  "/user_uploads/../a",
  "/user_uploads/%2e%2e/a",
  "/user_uploads/1/..\\..\\a",
  "?a",
  "#a",
];

describe("dangerous addresses", () => {
  it.each(addresses)("are not linked: %s", (address) => {
    for (const content of [
      `[a](${address})`,
      `[a](<${address}>)`,
      `![a](${address})`,
      `<${address}>`,
      address,
      `[a][b]\n\n[b]: ${address}`,
      `[a](${address} "title")`,
      `!${address} $${address} %${address} ^${address}`,
    ]) {
      expect(violations(content)).toEqual([]);
      const { html } = renderMessage(content, plain);
      expect(html).not.toMatch(/href="(?!https:\/\/a\.example)/);
      expect(html).not.toContain("<img");
    }
  });
});

describe("hostile markup", () => {
  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href='javascript:alert(1)'>a</a>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<![CDATA[<script>]]>",
    "<?php a ?>",
    "</p></div><script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;",
    "&amp;lt;script&amp;gt;",
    "`<script>`",
    "```\n</code></pre><script>\n```",
    '```"><script>\n```',
    '```js" onload="alert(1)\na\n```',
    "~~~ </code><b>\na\n~~~",
    "    </code><script>",
    '[a](https://a.example "\\"><script>")',
    "[a](https://a.example 'x\" onmouseover=\"alert(1)')",
    '[a](https://a.example/"onmouseover="alert(1))',
    "[a](https://a.example/'><script>)",
    '[a](<https://a.example/"><script>>)',
    '![" onerror="alert(1)](/user_uploads/1/a.png)',
    "![<script>](/user_uploads/1/a.png)",
    '![a](/user_uploads/1/a.png" onerror="alert(1))',
    '![a](/user_uploads/1/a.png "\\"><script>")',
    "![![a](/user_uploads/1/b)](/user_uploads/1/a)",
    "[![a](/user_uploads/1/b)](/user_uploads/1/a)",
    "[[a](https://a.example)](https://b.example)",
    "[a <https://a.example> b](https://b.example)",
    "[https://a.example](https://b.example)",
    "[a `](https://a.example)` b](https://b.example)",
    "[#**general**](https://a.example)",
    "![#**general** @**Iago Moor**](/user_uploads/1/a)",
    "[@**a](https://a.example)**",
    "@**[a](https://a.example)**",
    "#**<script>**",
    '#**<script>>"onload=alert(1)**',
    "@**<script>|1**",
    "@*<script>*",
    '@_**"><script>**',
    "**a @**b** c**",
    '<https://a.example/"><script>>',
    'https://a.example/"><script>alert(1)</script>',
    "https://a.example/?a='onclick='alert(1)",
    "https://a.example/`a`<b>",
    '<a@example.com"onclick=alert(1)>',
    "|<script>|\n|-|\n|</td><script>|",
    '|a|\n|:-" onload="a:|',
    "# <script>\n\n<script>\n===",
    '1" onload="a. a',
    "> <script>\n- <script>",
    "\u0000<script\u0000>",
    "<scr\u0000ipt>",
    "\uD800<script>\uDC00",
    "+ADw-script+AD4-",
    "\u202E<script>\u2028</script>",
    "!javascript:alert(1) $alert(1) %\"><script> %'onclick=alert(1)",
    '!https://a.example/"onclick="alert(1)',
    "!//evil.example !/\\evil.example !\\\\evil.example !/%09/evil.example",
    "&quot;&gt;&lt;script&gt;",
  ])("is escaped: %j", (content) => {
    expect(violations(content)).toEqual([]);
  });
});

describe("arbitrary content", () => {
  const pieces = [
    ..."[]()<>*_~`!@#|>-+=:.\\/\"'&;$%^?{} \n\t1a",
    ..."**,@**,#**,@*,@_**,](,![,```\n,~~,\n\n,    ,- ,> ,1. ,|-|\n,<a href=,</a>".split(","),
    ..."http://,https://a.b,mailto:,javascript:,data:,/user_uploads/,/user_uploads/1/a,&lt;,&#x3c;,a@b.c,//".split(","),
    ..."\u0000,\uD83D,\uDE00,😀,é,\u2028,\u00A0,general,Iago Moor,ops,all,#12,…".split(","),
  ];
  it.each([
    ["of any characters", fc.string({ unit: anyCharacter, maxLength: 200 }), 1500],
    ["of UTF-16 code units", fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)), 500],
    [
      "of Markdown's own",
      fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((pieces) => pieces.join("")),
      4000,
    ],
    [
      "of hostile addresses in markup",
      fc
        .array(fc.constantFrom(...addresses, "[a](", "![", "](", ")", "<", ">", "!", " ", '"'), { maxLength: 12 })
        .map((pieces) => pieces.join("")),
      1500,
    ],
  ])("renders only allowed HTML for %s", (_, contents, numRuns) => {
    fc.assert(
      fc.property(contents, (content) => {
        expect(violations(content)).toEqual([]);
      }),
      { numRuns },
    );
  });
});
