import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createSubscriptionUrl } from "../../src/daemon/index.js";

describe("a subscription URL", () => {
  const text = "https://grace:s3cret@sub.example:8443/s3cret?token=s3cret#s3cret";
  const url = createSubscriptionUrl(new URL(text));

  it("prints as scheme, host and port in every form", () => {
    const shown = [
      `${url}`,
      String(url),
      `at ${url}`,
      JSON.stringify({ url }),
      inspect({ url }, { depth: 9, showHidden: true }),
      format("%s %o %O %j", url, url, url, url),
      new Error(`no ${url}`, { cause: url }).stack,
      inspect(new Error("no", { cause: url })),
      Object.values(url).join(),
      Object.keys({ ...url }).join(),
    ].join("\n");
    expect(shown).not.toMatch(/s3cret|grace/);
    expect(shown).toContain("https://sub.example:8443");
    expect(String(url)).toBe("https://sub.example:8443");
    expect(JSON.stringify([url])).toBe('["https://sub.example:8443"]');
  });

  it("reveals the URL on request", () => {
    expect(url.reveal().href).toBe(text);
  });

  it("is unaffected by changes to its input and its result", () => {
    const given = new URL(text);
    const wrapped = createSubscriptionUrl(given);
    given.hostname = "other.example";
    wrapped.reveal().hostname = "other.example";
    expect([wrapped.reveal().href, String(wrapped)]).toEqual([text, "https://sub.example:8443"]);
    expect(Object.isFrozen(wrapped)).toBe(true);
  });
});
