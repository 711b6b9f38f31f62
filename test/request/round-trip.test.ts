import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, withTextParts } from "../../src/request/decode.js";
import { encode } from "../../src/request/encode.js";
import type { Operation, Parameter } from "../../src/request/operation.js";
import { textsOfQuery } from "../../src/request/style.js";
import { writeMultipart } from "../../src/request/write-multipart.js";
import { receivedMessage } from "../support/received-message.js";

/** Every character that a URL, a form or a style reserves, and others. */
const text = fc.string({
  unit: fc.constantFrom(..."aZ09-._~:/?#[]@!$&'()*+,;=|% \"<>\\^`{}é漢\u{1F600}"),
  minLength: 1,
  maxLength: 8,
});
const word = fc.stringMatching(/^[a-z]{1,5}$/);
const integer = fc.integer();

type Values = fc.Arbitrary<unknown>;
const styled = (style: string, explode: boolean) => ({ style: { name: style, explode } });
const list = { type: "array", items: { type: "string" } };
const numbers = { type: "array", items: { type: "integer" } };
const object = { type: "object", members: { a: { type: "string" }, "b.c": { type: "integer" } } };
const texts = fc.array(text, { minLength: 1, maxLength: 4 });
const members = fc.record({ a: text, "b.c": integer });
// JSON has no negative zero.
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Without characters that a style uses to separate values but does not encode in them. */
const without = (characters: RegExp) =>
  fc.array(
    text.filter((one) => !characters.test(one)),
    { minLength: 1, maxLength: 4 },
  );

/** Values of headers, which are sent as they are. */
const visible = fc.stringMatching(/^[!-+\-.0-~]{1,8}$/);

const rows: readonly (readonly [Omit<Parameter, "name">, Values])[] = [
  ...(["path", "query", "cookie", "body"] as const).flatMap((place) => [
    [{ place, type: "string" }, place === "path" ? text.filter((one) => !/^\.{1,2}$/.test(one)) : text] as const,
    [{ place, type: "integer" }, integer] as const,
    [{ place, type: "boolean" }, fc.boolean()] as const,
    [{ place, type: ["integer", "string"] }, fc.oneof(integer, word)] as const,
    [{ place, json: true }, json] as const,
  ]),
  [{ place: "header", type: "string" }, visible],
  [{ place: "header", type: "integer" }, integer],
  [{ place: "header", json: true }, fc.record({ a: visible })],
  ...[false, true].flatMap(
    (explode) =>
      [
        ...["simple", "label", "matrix"].flatMap((style) => [
          [
            { place: "path", ...list, ...styled(style, explode) },
            texts.filter((all) => style !== "simple" || !/^\.{1,2}$/.test(all.join())),
          ] as const,
          [{ place: "path", ...object, ...styled(style, explode) }, members] as const,
          [
            { place: "path", type: "string", ...styled(style, explode) },
            text.filter((one) => !/^\.{1,2}$/.test(one)),
          ] as const,
        ]),
        ...(["query", "body"] as const).flatMap((place) => [
          [{ place, ...list, ...styled("form", explode) }, texts] as const,
          [{ place, ...object, ...styled("form", explode) }, members] as const,
          [
            { place, ...numbers, ...styled("form", explode) },
            fc.array(integer, { minLength: 1, maxLength: 4 }),
          ] as const,
        ]),
        [{ place: "query", ...list, ...styled("spaceDelimited", explode) }, explode ? texts : without(/ /)],
        [{ place: "query", ...list, ...styled("pipeDelimited", explode) }, explode ? texts : without(/\|/)],
        [{ place: "header", ...list, ...styled("simple", explode) }, fc.array(word, { minLength: 1, maxLength: 4 })],
        [{ place: "header", ...object, ...styled("simple", explode) }, fc.record({ a: word, "b.c": integer })],
      ] as (readonly [Omit<Parameter, "name">, Values])[],
  ),
  [{ place: "query", ...object, ...styled("deepObject", true) }, members],
  [{ place: "cookie", ...list, ...styled("form", false) }, texts],
  [{ place: "cookie", ...object, ...styled("form", false) }, members],
  [{ place: "query", type: "object", ...styled("form", true) }, fc.dictionary(word, word, { minKeys: 1 })],
  [
    { place: "query", type: "object", items: { type: "integer" }, ...styled("form", true) },
    fc.dictionary(word, integer, { minKeys: 1 }),
  ],
  // A text, or a list of certain texts.
  ...[false, true].map(
    (explode) =>
      [
        {
          place: "query",
          type: ["string", "array"],
          items: { type: "string", enum: ["-a", "-b"] },
          ...styled("form", explode),
        },
        fc.oneof(word, fc.constantFrom(["-a"], ["-b", "-a"])),
      ] as const,
  ),
];

function operationWith(
  parameter: Omit<Parameter, "name">,
  body: Pick<NonNullable<Operation["bodies"]>[number], "type" | "form">,
): Operation {
  const own = { name: "p", ...parameter };
  const isInBody = parameter.place === "body";
  return {
    method: isInBody ? "POST" : "GET",
    path: parameter.place === "path" ? "/things/{p}" : "/things",
    parameters: isInBody ? [] : [own],
    ...(isInBody ? { bodies: [{ ...body, fields: [own] }] } : {}),
  };
}

const form = { type: "application/x-www-form-urlencoded", form: "form" } as const;

describe("decode", () => {
  it.each(rows)("gives the values that encode took: %j", (parameter, values) => {
    const operation = operationWith(parameter, form);
    fc.assert(
      fc.property(values, (p) => {
        const {
          values: decoded,
          malformed,
          unknown,
        } = decode(operation, receivedMessage(operation, encode(operation, { p })));
        expect({ decoded, malformed, unknown }).toEqual({ decoded: { p }, malformed: [], unknown: [] });
      }),
    );
  });

  it.each([
    ["multipart/form-data", "multipart", { type: "string" }, "a=b&c"],
    ["multipart/form-data", "multipart", { json: true }, { a: [1] }],
    ["multipart/form-data", "multipart", { ...list, ...styled("form", true) }, ["a,b", "c"]],
    ["application/json", "json", { json: true }, { a: [null] }],
    ["application/json", "json", { json: true }, null],
    ["application/json", "json", { json: true, wireName: null }, ["é"]],
    ["text/plain", "raw", { type: "string", wireName: null }, "é\r\n"],
  ] as const)("reads a body that encode wrote: %s %s %j", (type, kind, parameter, p) => {
    const operation = operationWith({ place: "body", ...parameter } as Parameter, { type, form: kind });
    expect(decode(operation, receivedMessage(operation, encode(operation, { p }))).values).toEqual({ p });
  });

  it("reads the parts that it wrote, and JSON that was sent as a file", async () => {
    const type = "multipart/form-data";
    const fields: Parameter[] = [
      { name: "j", place: "body", json: true, contentType: "application/json" },
      { name: 'n"\r\n', place: "body", type: "string" },
      { name: "f", place: "body", isFile: true, type: "array" },
    ];
    const operation: Operation = {
      method: "POST",
      path: "/",
      parameters: [],
      bodies: [{ type, form: "multipart", fields }],
    };
    const files = ["a", "b"].map((name) => new File([name], `${name}".txt`, { type: "text/x" }));
    const { body } = encode(operation, { j: { a: ["é"] }, 'n"\r\n': "1\r\n2", f: files });
    if (body?.kind !== "parts") throw new Error("Expected parts");
    const written = await writeMultipart(body.parts);
    const form = await new Response(written.bytes as BodyInit, {
      headers: { "Content-Type": written.type },
    }).formData();
    expect(new TextDecoder().decode(written.bytes)).toContain(
      'name="j"\r\nContent-Type: application/json\r\n\r\n{"a":["é"]}\r\n',
    );
    expect([form.get("j"), form.get('n"\r\n'), form.getAll("f").length]).toEqual(['{"a":["é"]}', "1\r\n2", 2]);
    const sent = await withTextParts(operation, {
      fields: [],
      files: [["j", new File(['{"a":1}'], "blob")]],
    });
    const message = {
      path: [],
      query: [],
      headers: { "content-type": type },
      body: { kind: "form" as const, ...sent },
    };
    expect(decode(operation, message).values).toEqual({ j: { a: 1 } });
  });

  it("reads files by their names, or the only one under any name", () => {
    const [a, b] = [new File(["a"], "a.txt"), new File(["b"], "b.txt")];
    const type = "multipart/form-data";
    const one = operationWith({ place: "body", isFile: true }, { type, form: "multipart" });
    const many = operationWith({ place: "body", isFile: true, type: "array" }, { type, form: "multipart" });
    const sent = (files: [string, File][]) => ({
      path: [],
      query: [],
      headers: { "content-type": type },
      body: { kind: "form" as const, fields: [], files },
    });
    expect(decode(one, receivedMessage(one, encode(one, { p: a }))).values).toEqual({ p: a });
    expect(decode(one, sent([["other", b]])).values).toEqual({ p: b });
    expect(
      decode(
        one,
        sent([
          ["p", a],
          ["other", b],
        ]),
      ).malformed,
    ).toEqual([{ name: "p", expected: "exactly one file" }]);
    expect(decode(many, receivedMessage(many, encode(many, { p: [a, b] }))).values).toEqual({ p: [a, b] });
  });

  it.each<[string, Partial<Parameter>, object]>([
    ["p=1&p=2", { type: "integer" }, { values: { p: 2 }, unknown: [] }],
    ["p=12.0", { type: "integer" }, { malformed: [{ name: "p", expected: "an integer" }] }],
    ["p=", { type: "integer" }, { malformed: [{ name: "p", expected: "an integer" }] }],
    ["p=yes", { type: "boolean" }, { malformed: [{ name: "p", expected: "true or false" }] }],
    ["p={", { json: true }, { malformed: [{ name: "p", expected: "JSON text" }] }],
    ["q=1&r=2&q=3", { type: "integer" }, { values: {}, unknown: ["q", "r"] }],
    ["p=3%2C4", { ...numbers, ...styled("form", false) }, { values: { p: [3, 4] } }],
    ["p=3%2C4", { ...list, ...styled("form", false) }, { values: { p: ["3,4"] } }],
  ])("reads the query %s of %j as %j", (query, parameter, want) => {
    const operation = operationWith({ place: "query", ...parameter }, form);
    expect(decode(operation, { path: [], query: textsOfQuery(query), headers: {} })).toMatchObject(want);
  });
});
