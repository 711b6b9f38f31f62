import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { convertSwagger } from "../../../src/contract/rest/convert-swagger.js";
import { readOpenApi } from "../../../src/contract/rest/load-openapi.js";
import { makeFolder } from "../../support/museum.js";

/** The operations of a Swagger document, as of OpenAPI 3. */
async function converted(paths: object, rest: object = {}) {
  const document = { swagger: "2.0", info: { title: "Garden", version: "1" }, paths, ...rest };
  return (await convertSwagger(document)) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
    readonly [key: string]: unknown;
  };
}

const ok = { 200: { description: "OK" } };

describe("convertSwagger", () => {
  it("keeps documents of OpenAPI 3", async () => {
    const document = { openapi: "3.0.3", info: {}, paths: {} };
    expect(await convertSwagger(document)).toBe(document);
  });

  it("writes host, base path and scheme as a server", async () => {
    const { servers } = await converted({}, { host: "garden.example", basePath: "/v1", schemes: ["https"] });
    expect(servers).toEqual([{ url: "https://garden.example/v1" }]);
  });

  it.each([
    [
      "a body that the path shares by reference",
      { "/a": { parameters: [{ $ref: "#/parameters/Plant" }], put: { responses: ok } } },
      {
        definitions: { Plant: { type: "object" } },
        parameters: { Plant: { in: "body", name: "plant", required: true, schema: { $ref: "#/definitions/Plant" } } },
      },
      { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Plant" } } } },
    ],
    [
      "a form with a list and a file",
      {
        "/a": {
          put: {
            parameters: [
              { in: "formData", name: "tags", type: "array", items: { type: "string" }, collectionFormat: "multi" },
              { in: "formData", name: "photo", type: "file", required: true },
            ],
            responses: ok,
          },
        },
      },
      {},
      {
        required: true,
        content: {
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: {
                tags: { type: "array", items: { type: "string" } },
                photo: { type: "string", format: "binary" },
              },
              required: ["photo"],
            },
          },
        },
      },
    ],
  ])("writes %s as a request body", async (_, paths, rest, want) => {
    const { paths: found } = await converted(paths, rest);
    expect(found["/a"]?.put).toMatchObject({ requestBody: want });
  });

  it("writes the format of a list as its style", async () => {
    const list = { in: "query", type: "array", items: { type: "integer" } };
    const parameters = [
      { ...list, name: "plain" },
      { ...list, name: "piped", collectionFormat: "pipes" },
      { ...list, name: "again", collectionFormat: "multi" },
    ];
    const { paths } = await converted({ "/a": { get: { parameters, responses: ok } } });
    expect(paths["/a"]?.get).toMatchObject({
      parameters: [
        { name: "plain", style: "form", explode: false },
        { name: "piped", style: "pipeDelimited", explode: false },
        { name: "again", style: "form", explode: true },
      ],
    });
  });

  it("writes discriminators and nullable values, but keeps data as it is", async () => {
    const plant = {
      type: "object",
      discriminator: "kind",
      properties: { kind: { type: "string" }, name: { type: "string", "x-nullable": true } },
      example: { discriminator: "kind", "x-nullable": true },
    };
    const { components } = await converted({}, { definitions: { Plant: plant } });
    expect(components).toMatchObject({
      schemas: {
        Plant: {
          discriminator: { propertyName: "kind" },
          properties: { name: { nullable: true } },
          example: { discriminator: "kind", "x-nullable": true },
        },
      },
    });
  });
});

it("names the line of the Swagger document that has a part which cannot be used", async () => {
  const get = { responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Plant" } } } };
  const definitions = { Plant: { type: "object", enum: ["rose"] } };
  const document = {
    swagger: "2.0",
    info: { title: "Garden", version: "1" },
    paths: { "/a?b": { get }, "/a": { get } },
    definitions,
  };
  const file = join(makeFolder({ "garden.json": document }), "garden.json");
  const lines = readFileSync(file, "utf8").split("\n");
  const { notJudged } = await readOpenApi(file);
  expect(notJudged.map(({ line = 0 }) => lines[line - 1]?.trim())).toEqual(['"/a?b": {', '"type": "object",']);
});
