import { describe, expect, it } from "vitest";
import { jsonText } from "../../src/judge/quote.js";

describe("jsonText", () => {
  it.each([
    [undefined, "nothing"],
    [{ a: [1, null, "b"] }, '{"a":[1,null,"b"]}'],
  ])("writes %j as %s", (value, want) => {
    expect(jsonText(value)).toBe(want);
  });

  it.each([
    ["[", "]"],
    ['{"a":', "}"],
  ])("prunes values that are nested too deeply: %s", (opening, closing) => {
    const value: unknown = JSON.parse(`${opening.repeat(200_000)}1${closing.repeat(200_000)}`);
    const text = jsonText([value, "after"]);
    expect(text.startsWith(`[${opening.repeat(50)}`)).toBe(true);
    expect(text.endsWith(`${closing.repeat(50)},"after"]`)).toBe(true);
    expect(text).toContain('"…"');
    expect(text.length).toBeLessThan(1000);
  });
});
