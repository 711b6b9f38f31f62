import { describe, expect, it } from "vitest";
import { originProblem } from "../../src/http/cors.js";

describe("originProblem", () => {
  it.each([
    "https://ui.example.org",
    "http://192.168.1.5:5173",
    "http://[2001:db8::1]:8080",
    "https://xn--bcher-kva.example",
  ])("accepts %s", (text) => expect(originProblem(text)).toBeUndefined());

  it.each([
    ["*", /Name each origin/],
    ["null", /must be an origin, such as/],
    ["", /must be an origin/],
    ["ui.example.org", /must be an origin/],
    ["file:///tmp/page.html", /must be an origin/],
    ["https://ui.example.org/", /write https:\/\/ui\.example\.org\.$/],
    ["https://ui.example.org/app?x=1", /write https:\/\/ui\.example\.org\.$/],
    ["https://ui.example.org:443", /write https:\/\/ui\.example\.org\.$/],
    ["https://UI.example.org", /write https:\/\/ui\.example\.org\.$/],
    ["https://bücher.example", /write https:\/\/xn--bcher-kva\.example\.$/],
    ["https://user:password@ui.example.org", /write https:\/\/ui\.example\.org\.$/],
  ])("rejects %j", (text, message) => expect(originProblem(text)).toMatch(message));
});
