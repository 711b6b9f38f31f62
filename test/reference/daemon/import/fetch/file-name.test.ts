import fc from "fast-check";
import { expect, it } from "vitest";
import { fileName } from "../../../../../reference/daemon/import/fetch/header-text.js";
import { propertyRuns, propertySeed } from "../../../../support/property-seed.js";

it.each([
  ['attachment; filename="Fabrikam.txt"', "Fabrikam.txt"],
  ["attachment; filename=Fabrikam.txt", "Fabrikam.txt"],
  ["attachment;filename=Fabrikam.txt;size=3", "Fabrikam.txt"],
  ["ATTACHMENT; FileName = Fabrikam", "Fabrikam"],
  ['inline; size=3; filename="a b;c=d.txt"', "a b;c=d.txt"],
  [String.raw`attachment; filename="a \"b\" \\ c"`, " c"],
  [String.raw`attachment; filename="a \"b\""`, 'a "b"'],
  ["attachment; filename*=UTF-8''%E9%A6%99%E6%B8%AF%2001.yaml", "香港 01.yaml"],
  ["attachment; filename*=utf-8'zh'%E9%A6%99", "香"],
  ["attachment; filename=\"plain\"; filename*=UTF-8''extended", "extended"],
  ["attachment; filename*=UTF-8''extended; filename=\"plain\"", "extended"],
  ["attachment; filename*=ISO-8859-1'en'%A3%20rates", "£ rates"],
  ["attachment; filename=plain; filename*=UTF-8''%FF", "plain"],
  ["attachment; filename=plain; filename*=koi8-r''%C1", "plain"],
  ["attachment; filename=plain; filename*=extended", "plain"],
  ["attachment; filename=first; filename=second", "first"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ['attachment; filename="C:\\\\fakepath\\\\x.txt"', "x.txt"],
  ["attachment; filename*=UTF-8''..%2F..%2Fx", "x"],
  ['attachment; filename=""', ""],
  ["attachment", undefined],
  ["", undefined],
  ["attachment; filename", undefined],
  ["filename=x", undefined],
  ["attachment; name=x", undefined],
  ['attachment; filename="no end', ""],
])("reads %s", (header, want) => {
  expect(fileName(header)).toBe(want);
});

it("round-trips file names", () => {
  const text = fc.string({ unit: "grapheme" }).filter((name) => !/[/\\]/.test(name));
  fc.assert(
    fc.property(text, (name) => {
      const quoted = name.replace(/["]/g, "\\$&");
      expect(fileName(`attachment; filename="${quoted}"`)).toBe(name);
      const extended = encodeURIComponent(name).replaceAll("'", "%27");
      expect(fileName(`attachment; filename=x; filename*=UTF-8''${extended}`)).toBe(name);
    }),
    { seed: propertySeed, numRuns: propertyRuns(200) },
  );
});

it.each([
  `attachment${"; a=b".repeat(4_000)}`,
  `attachment; filename="${"\\".repeat(16_000)}`,
  `;${" ".repeat(16_000)}`,
  `; a${" ".repeat(16_000)}x`,
  `attachment; filename*=${"'".repeat(16_000)}`,
])("parses long headers quickly", (header) => {
  expect(fileName(header)?.length ?? 0).toBeLessThan(16_000);
});
