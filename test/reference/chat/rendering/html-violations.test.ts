import { expect, it } from "vitest";
import { htmlViolations } from "./html-violations.js";

const rel = 'rel="noopener noreferrer nofollow"';

it.each([
  ["plain text", "a &amp; b", true],
  ["a paragraph", "<p>a</p>", true],
  ["an outside link", `<a href="https://a.example" ${rel} target="_blank">a</a>`, true],
  ["a raw ampersand", "a & b", false],
  ["a raw angle bracket", "a > b", false],
  ["a raw quote", 'a " b', false],
  ["another tag", "<script></script>", false],
  ["a tag in capitals", "<P></P>", false],
  ["a tag not closed", "<p>", false],
  ["a tag not opened", "</p>", false],
  ["tags that cross", "<p><em></p></em>", false],
  ["a tag cut short", "<p", false],
  ["another attribute", '<p onclick="a"></p>', false],
  ["an attribute without quotes", "<p class=a></p>", false],
  ["an attribute twice", `<a href="/user_uploads/1" href="/user_uploads/1" ${rel}></a>`, false],
  ["another style", '<td style="color:red"></td>', false],
  ["a script address", `<a href="javascript:a" ${rel}>a</a>`, false],
  ["a script address with a tab", `<a href="java\tscript:a" ${rel}>a</a>`, false],
  ["another host without scheme", `<a href="//a.example" ${rel}>a</a>`, false],
  ["another host with a backslash", `<a href="/\\a.example" ${rel}>a</a>`, false],
  ["an outside link without target", `<a href="https://a.example" ${rel}>a</a>`, false],
  ["a link without rel", '<a href="/user_uploads/1">a</a>', false],
  ["a link in a link", `<a href="/user_uploads/1" ${rel}><a href="/user_uploads/1" ${rel}></a></a>`, false],
  ["a path of the server", `<a href="/api" ${rel}>a</a>`, false],
  ["a path outside the uploads", `<a href="/user_uploads/../api" ${rel}>a</a>`, false],
  ["an image from elsewhere", '<img src="https://a.example" alt="">', false],
])("judges %s", (_, html, want) => {
  expect(htmlViolations(html).length === 0).toBe(want);
});
