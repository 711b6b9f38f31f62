import { describe, expect, it } from "vitest";
import {
  isDisplayedInline,
  sanitizeName,
  servedContentType,
  storedMediaType,
} from "../../../../reference/chat/uploads/file-metadata.js";

describe("sanitizeName", () => {
  it.each([
    ["notes.txt", "notes.txt"],
    ["budget [draft].csv", "budget-draft.csv"],
    ["Bühnenplan für Ürsli.svg", "Buhnenplan-fur-Ursli.svg"],
    ["../../etc/passwd", "etc-passwd"],
    ["..", "file"],
    [".htaccess", "htaccess"],
    ["a..b", "a.b"],
    ["<script>.html", "script.html"],
    ["骸骨", "file"],
    ["骸骨.png", "png"],
    ["", "file"],
    ["a\u0000\n\r b", "a-b"],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(96)}.pdf`],
  ])("converts %j", (name, segment) => expect(sanitizeName(name)).toBe(segment));
});

describe("media types", () => {
  it.each([
    ["image/png", "image/png", true],
    ["text/plain; charset=latin1", "text/plain; charset=utf-8", false],
    ["Application/PDF", "application/pdf", false],
    ["text/html", "application/octet-stream", false],
    ["image/svg+xml", "application/octet-stream", false],
    ["image/png\r\nX: y", "application/octet-stream", false],
    ["", "application/octet-stream", false],
    ["x".repeat(5000), "application/octet-stream", false],
  ])("change from %j to %s", (sent, served, inPlace) => {
    const stored = storedMediaType(sent);
    expect([servedContentType(stored), isDisplayedInline(stored)]).toEqual([served, inPlace]);
  });
});
