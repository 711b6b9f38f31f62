import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createSubscriptionUrl } from "../../src/daemon/index.js";

describe("a subscription URL", () => {
  const text = "https://grace:s3cret@sub.example:8443/s3cret?token=s3cret#s3cret";
  const url = createSubscriptionUrl(new URL(text));

  it("shows scheme, host and port, however it is printed", () => {
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

  it("gives the URL to whoever asks for it", () => {
    expect(url.reveal().href).toBe(text);
  });

  it("does not change with the URL that it was made of, nor with one that it gave", () => {
    const given = new URL(text);
    const wrapped = createSubscriptionUrl(given);
    given.hostname = "other.example";
    wrapped.reveal().hostname = "other.example";
    expect([wrapped.reveal().href, String(wrapped)]).toEqual([text, "https://sub.example:8443"]);
    expect(Object.isFrozen(wrapped)).toBe(true);
  });
});
