import fc from "fast-check";
import { createQuerySerializer, serializeArrayParam, serializeObjectParam } from "openapi-fetch";
import { describe, expect, it } from "vitest";
import { percentDecode } from "../../src/base/percent-decode.js";
import type { ValueStyle } from "../../src/request/operation.js";
import {
  type Expected,
  joinDelimited,
  readStyled,
  type SentText,
  textsOfQuery,
  type WrittenField,
  writeStyled,
} from "../../src/request/style.js";

type Place = "path" | "query" | "header" | "cookie";

/** Every style that a place has (OpenAPI 3.1, "Style Values"), with the values that it can write. */
const styles: readonly (readonly [
  place: Place,
  style: string,
  explodes: readonly boolean[],
  lists: boolean,
  objects: boolean,
])[] = [
  ["path", "simple", [false, true], true, true],
  ["path", "label", [false, true], true, true],
  ["path", "matrix", [false, true], true, true],
  ["query", "form", [false, true], true, true],
  ["query", "spaceDelimited", [false, true], true, false],
  ["query", "pipeDelimited", [false, true], true, false],
  ["query", "deepObject", [true], false, true],
  ["cookie", "form", [false], true, true],
];

const rows = styles.flatMap(([place, name, explodes, lists, objects]) =>
  explodes.map((explode) => ({ place, style: { name, explode }, lists, objects })),
);

/** The text of a request part, as the verifier sends it. */
function wire(place: Place, fields: readonly WrittenField[]): string {
  const text = (value: WrittenField[1]) =>
    typeof value === "string" ? encodeURIComponent(value) : joinDelimited(value, encodeURIComponent);
  if (place === "query") return fields.map(([name, value]) => `${encodeURIComponent(name)}=${text(value)}`).join("&");
  return fields.map(([, value]) => text(value)).join("; ");
}

/** What a server gets of it. */
function received(place: Place, name: string, sent: string): SentText[] {
  return place === "query" ? textsOfQuery(sent) : [[name, percentDecode(sent), sent]];
}

function roundTrip(place: Place, style: ValueStyle, value: object, accepts: Expected["accepts"] = () => true) {
  const isList = Array.isArray(value);
  const expected = { isList, members: isList ? [] : Object.keys(value), accepts };
  return readStyled(style, "p", received(place, "p", wire(place, writeStyled(style, "p", value))), expected);
}

// Delimiters that a style does not encode otherwise belong to no value: a space or pipe of a delimited list.
const textFor = ({ name }: ValueStyle) =>
  fc
    .string({ unit: fc.constantFrom(..."aZ09.,;=&|/?#[]@:!$'()*+% é漢\u{1F600}"), minLength: 1, maxLength: 8 })
    .filter(
      (text) => !(name === "spaceDelimited" && text.includes(" ")) && !(name === "pipeDelimited" && text.includes("|")),
    );

describe("styles of lists and objects", () => {
  it.each(rows.filter(({ lists }) => lists))(
    "reads the list that it wrote: $place $style.name $style.explode",
    ({ place, style }) => {
      fc.assert(
        fc.property(fc.array(textFor(style), { minLength: 1, maxLength: 4 }), (list) => {
          expect(roundTrip(place, style, list)).toEqual(list);
        }),
      );
    },
  );

  it.each(rows.filter(({ objects }) => objects))(
    "reads the object that it wrote: $place $style.name $style.explode",
    ({ place, style }) => {
      const keys = fc.constantFrom("a", "b.c", "d e", "f,g", "h=i", "é");
      fc.assert(
        fc.property(fc.dictionary(keys, textFor(style), { minKeys: 1, noNullPrototype: true }), (object) => {
          expect(roundTrip(place, style, object)).toEqual(object);
        }),
      );
    },
  );

  const list = ["blue", "black", "brown"];
  const object = { R: 100, G: 200, B: 150 };

  // OpenAPI 3.1, "Style Examples".
  it.each<[Place, string, boolean, object, string]>([
    ["path", "matrix", false, list, ";color=blue,black,brown"],
    ["path", "matrix", true, list, ";color=blue;color=black;color=brown"],
    ["path", "matrix", false, object, ";color=R,100,G,200,B,150"],
    ["path", "matrix", true, object, ";R=100;G=200;B=150"],
    ["path", "label", false, list, ".blue,black,brown"],
    ["path", "label", true, list, ".blue.black.brown"],
    ["path", "label", false, object, ".R,100,G,200,B,150"],
    ["path", "label", true, object, ".R=100.G=200.B=150"],
    ["path", "simple", false, list, "blue,black,brown"],
    ["path", "simple", false, object, "R,100,G,200,B,150"],
    ["path", "simple", true, object, "R=100,G=200,B=150"],
    ["query", "form", false, list, "color=blue,black,brown"],
    ["query", "form", true, list, "color=blue&color=black&color=brown"],
    ["query", "form", false, object, "color=R,100,G,200,B,150"],
    ["query", "form", true, object, "R=100&G=200&B=150"],
    ["query", "spaceDelimited", false, list, "color=blue%20black%20brown"],
    ["query", "pipeDelimited", false, list, "color=blue|black|brown"],
    ["query", "deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ])("writes as OpenAPI shows: %s %s %s %j", (place, name, explode, value, want) => {
    expect(wire(place, writeStyled({ name, explode }, "color", value)).replaceAll(" ", "%20")).toBe(want);
  });

  // Its `label` is that of OpenAPI 3.0, which separates with dots in any case.
  it.each<[string, boolean]>([
    ["simple", false],
    ["matrix", false],
    ["matrix", true],
    ["label", true],
    ["form", false],
    ["form", true],
  ])("writes what openapi-fetch writes: %s %s", (name, explode) => {
    const style = name as "simple" | "matrix" | "label" | "form";
    const text = fc.string({ unit: fc.constantFrom(..."aZ09,;=&|/é漢"), minLength: 1, maxLength: 6 });
    const query = createQuerySerializer({ array: { style: "form", explode }, object: { style: "form", explode } });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
        const other = style === "form" ? query({ p: values }) : serializeArrayParam("p", values, { style, explode });
        expect(wire(style === "form" ? "query" : "path", writeStyled({ name, explode }, "p", values))).toBe(other);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), text, { minKeys: 1, noNullPrototype: true }), (values) => {
        const other = style === "form" ? query({ p: values }) : serializeObjectParam("p", values, { style, explode });
        expect(wire(style === "form" ? "query" : "path", writeStyled({ name, explode }, "p", values))).toBe(other);
      }),
    );
  });

  it("splits at percent-encoded separators if the text as a whole is no item", () => {
    const style = { name: "form", explode: false };
    const expected = (accepts: Expected["accepts"]) => ({ isList: true, members: [], accepts });
    const texts = textsOfQuery("p=3%2C4");
    expect(
      readStyled(
        style,
        "p",
        texts,
        expected((text) => /^\d+$/.test(text)),
      ),
    ).toEqual(["3", "4"]);
    expect(
      readStyled(
        style,
        "p",
        texts,
        expected(() => true),
      ),
    ).toEqual(["3,4"]);
  });
});
