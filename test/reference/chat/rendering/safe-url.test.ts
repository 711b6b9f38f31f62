import { describe, expect, it } from "vitest";
import { isLinkableUrl, isLinkifierUrl, uploadPath } from "../../../../reference/chat/rendering/safe-url.js";

describe("uploadPath", () => {
  it.each([
    ["/user_uploads/1/ab/report.pdf", "1/ab/report.pdf"],
    ["/user_uploads/1/ab/my%20report%C3%A9.pdf", "1/ab/my reporté.pdf"],
    ["/user_uploads/1/ab/a.pdf?download=1#page=2", "1/ab/a.pdf"],
    ["/user_uploads/1/ab/a.pdf?back=/../", "1/ab/a.pdf"],
    ["/user_uploads/1/ab/a%3Fb", "1/ab/a?b"],
    ["/user_uploads/", undefined],
    ["/user_uploads//evil.example/a", undefined],
    ["/user_uploads/../api/v1/users", undefined],
    ["/user_uploads/1/%2e%2E/2/a", undefined],
    ["/user_uploads/1/.%2e/2/a", undefined],
    ["/user_uploads/1/..%2f..%2fa", undefined],
    ["/user_uploads/1\\..\\..\\a", undefined],
    ["/user_uploads/1/%5c..%5ca", undefined],
    ["/user_uploads/1/a%00b", undefined],
    ["/user_uploads/1/%ff", undefined],
    ["/user_uploads", undefined],
    ["user_uploads/1/a", undefined],
    ["//user_uploads/1/a", undefined],
    ["https://chat.example/user_uploads/1/a", undefined],
    [" /user_uploads/1/a", undefined],
  ])("returns for %s: %s", (url, want) => {
    expect(uploadPath(url)).toBe(want);
  });
});

describe("allowed link targets", () => {
  it.each([
    ["https://example.com/a", true, true],
    ["HTTP://example.com", true, true],
    ["mailto:a@example.com", true, true],
    ["/user_uploads/1/a", true, true],
    ["/issues/1", false, true],
    ["/../issues/1", false, false],
    ["/issues/%2E./1", false, false],
    ["/issues/1?of=/../", false, true],
    ["", false, false],
    ["issues/1", false, false],
    ["#anchor", false, false],
    ["?query", false, false],
    ["//evil.example/a", false, false],
    ["/\\evil.example/a", false, false],
    ["/\t/evil.example/a", false, false],
    ["\\\\evil.example", false, false],
    ["https:evil.example", false, false],
    ["https:///evil.example", false, false],
    ["https://", false, false],
    ["https://a b/", false, false],
    ["javascript:alert(1)", false, false],
    [" javascript:alert(1)", false, false],
    ["JaVaScRiPt:alert(1)", false, false],
    ["java\nscript:alert(1)", false, false],
    ["data:text/html,a", false, false],
    ["data:image/png;base64,AA==", false, false],
    ["vbscript:a", false, false],
    ["file:///etc/passwd", false, false],
    ["blob:https://example.com/1", false, false],
    ["ftp://example.com", false, false],
  ])("include %s in messages: %s, in linkifiers: %s", (url, inMessage, byLinkifier) => {
    expect([isLinkableUrl(url), isLinkifierUrl(url)]).toEqual([inMessage, byLinkifier]);
  });
});
