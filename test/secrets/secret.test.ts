import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createSecret } from "../../src/secrets/secret.js";

describe("a secret", () => {
  const secret = createSecret("open-sesame");

  it.each([
    ["in a template", `${secret}`],
    ["as JSON", JSON.stringify({ secret })],
    ["inspected", inspect({ secret }, { showHidden: true, depth: 9 })],
    ["as a copy", inspect({ ...secret })],
    ["as entries", JSON.stringify(Object.entries(secret))],
    ["in an error", inspect(new Error(`no ${secret}`, { cause: secret }))],
  ])("does not print %s", (_, text) => expect(text).not.toContain("sesame"));

  it("is revealed on demand", () => expect(secret.reveal()).toBe("open-sesame"));
});
