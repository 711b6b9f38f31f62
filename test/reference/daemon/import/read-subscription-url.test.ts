import { inspect } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSubscriptionUrl } from "../../../../reference/daemon/import/read-subscription-url.js";
import { anyCharacter } from "../../../support/any-character.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";

function errorOf(text: string): unknown {
  try {
    readSubscriptionUrl(text);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("readSubscriptionUrl", () => {
  it.each([
    ["https://sub.northwind.example/s/6f1e2a9c?x=1#Name", "https://sub.northwind.example/s/6f1e2a9c?x=1#Name"],
    ["HTTP://SUB.Northwind.example", "http://sub.northwind.example/"],
    [" https://sub.northwind.example/s \n", "https://sub.northwind.example/s"],
    ["https://grace:pw@trey.example:8443/subscription", "https://grace:pw@trey.example:8443/subscription"],
    ["http:sub.northwind.example", "http://sub.northwind.example/"],
    [`https://h.example/${"a".repeat(8_192 - 18)}`, `https://h.example/${"a".repeat(8_192 - 18)}`],
  ])("reads %s", (text, want) => {
    expect(readSubscriptionUrl(text).reveal().href).toBe(want);
  });

  it.each([
    ["", "url is empty"],
    [" \t\n", "url is empty"],
    ["a".repeat(8_193), "url is too long"],
    [`https://h.example/${"a".repeat(8_192 - 17)}`, "url is too long"],
    ["sub.northwind.example/s/45c48cce2e2d7fbd", "url is not a URL"],
    ["https://sub.northwind.example:https/s/45c48cce2e2d7fbd", "url is not a URL"],
    ["https://", "url is not a URL"],
    ["http://[broken/45c48cce2e2d7fbd", "url is not a URL"],
    ["https://h.example:65536/45c48cce2e2d7fbd", "url is not a URL"],
    ["ftp://mirror:bR7kWq2ZxN@ftp.lucerne.example/nodes.txt", "url is neither an http nor an https URL"],
    ["file:///etc/passwd", "url is neither an http nor an https URL"],
    ["data:text/plain,45c48cce2e2d7fbd", "url is neither an http nor an https URL"],
    ["trojan://45c48cce2e2d7fbd@h.example:443", "url is neither an http nor an https URL"],
    ["localhost:8080/45c48cce2e2d7fbd", "url is neither an http nor an https URL"],
  ])("refuses %s", (text, message) => {
    const error = errorOf(text);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: message });
  });

  it("returns a URL, or throws an error without any part of the text", () => {
    const token = "45c48cce2e2d7fbd";
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.webUrl(), fc.nat(40), fc.string(), (some, url, at, odd) => {
        for (const text of [some + token, url.slice(0, at) + odd + token + url.slice(at)]) {
          const error = errorOf(text);
          if (error === undefined) continue;
          expect(error).toBeInstanceOf(ConnectError);
          expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(token);
        }
      }),
      { seed: propertySeed, numRuns: propertyRuns(300) },
    );
  });
});
