import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseUrl } from "../src/parse-url.js";

it.each([
  ["https://b\u00fccher.example/a", undefined, "https://xn--bcher-kva.example/a"],
  ["/a", "https://h.example/b", "https://h.example/a"],
  ["/a", undefined, undefined],
  ["https://[", undefined, undefined],
])("parseUrl(%j, %j)", (text, base, want) => expect(parseUrl(text, base)?.href).toBe(want));

it("a URL beyond ASCII is still one after very many", () => {
  const text = "https://b\u00fccher.example";
  for (let count = 0; count < 200_000; count++) if (parseUrl(text) === undefined) expect.fail(`refused at ${count}`);
});

it("nothing uses URL.canParse, which Node 20 gets wrong", () => {
  const root = join(import.meta.dirname, "..");
  const files = ["src", "reference", "scripts"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(root, folder, name)),
  );
  const using = files.filter((file) => /URL\.canParse\(/.test(readFileSync(file, "utf8")));
  expect(files.length).toBeGreaterThan(300);
  expect(using).toEqual([]);
});
