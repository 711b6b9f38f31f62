import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOn } from "../support/listen-on.js";
import { makeFolder, museum, shop, write } from "../support/museum.js";
import { runInFolder } from "../support/run-in-process.js";

describe("accord generate", () => {
  it("writes the document in one file and its types, and names stale files", async () => {
    const folder = makeFolder({
      "accord.yaml": "contracts: {museum: {openapi: openapi.yaml}}\n",
      "openapi.yaml": { ...museum, paths: { "/artworks": { $ref: "artworks.yaml" } } },
      "artworks.yaml": museum.paths["/artworks"],
    });
    // The path of the schema is relative to the file of the reference.
    write(folder, {
      "artworks.yaml": JSON.stringify(museum.paths["/artworks"]).replaceAll("#/components", "openapi.yaml#/components"),
    });
    expect(await runInFolder(folder, "generate", "--check")).toMatchObject({
      code: 1,
      stdout: ["api.ts", "client.ts", "document.ts", "openapi.yaml", "server.ts", "types.ts"]
        .map((name) => `generated/museum/${name} is missing\n`)
        .join(""),
    });
    expect(await runInFolder(folder, "generate")).toMatchObject({
      code: 0,
      stdout: "wrote 6 files into generated/museum\n",
    });
    expect(await runInFolder(folder, "generate", "museum", "--check")).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(folder, "generated/museum/types.ts"), "utf8")).toContain("listArtworks: {");
    expect(readFileSync(join(folder, "generated/museum/openapi.yaml"), "utf8")).toMatch(
      /^# Written by .*\nopenapi: 3\.1\.0\n/,
    );
    rmSync(join(folder, "generated/museum/openapi.yaml"));
    const mark = "// Written by `accord generate`. Not to be edited.\n";
    write(folder, { "generated/museum/types.ts": `${mark}changed`, "generated/museum/old/old.ts": mark });
    write(folder, { "generated/museum/mine.ts": "mine" });
    expect(await runInFolder(folder, "generate", "--check")).toMatchObject({
      code: 1,
      stdout:
        "generated/museum/old/old.ts has no source\ngenerated/museum/openapi.yaml is missing\ngenerated/museum/types.ts is out of date\n",
      stderr: "accord: Generated files are out of date. Write them with: npx --no-install accord generate\n",
    });
    expect(await runInFolder(folder, "generate")).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, "generated/museum")).sort()).toEqual([
      "api.ts",
      "client.ts",
      "document.ts",
      "mine.ts",
      "openapi.yaml",
      "server.ts",
      "types.ts",
    ]);
  });

  it("writes integers beyond 2^53 as the document has them, and texts as they are", async () => {
    const schema =
      '{type: integer, maximum: 9223372036854775807, example: 9007199254740993, description: "9007199254740992"}';
    const folder = makeFolder({
      "accord.yaml": "contracts: {big: {openapi: openapi.yaml}}\n",
      "openapi.yaml": `openapi: 3.1.0\ninfo: {title: Big, version: "1"}\npaths: {}\ncomponents: {schemas: {Id: ${schema}}}\n`,
    });
    expect(await runInFolder(folder, "generate")).toMatchObject({ code: 0 });
    const written = readFileSync(join(folder, "generated/big/openapi.yaml"), "utf8");
    expect(written).toMatch(/maximum: 9223372036854775807\n/);
    expect(written).toMatch(/example: 9007199254740993\n/);
    expect(written).toMatch(/description: "9007199254740992"\n/);
    expect(readFileSync(join(folder, "generated/big/types.ts"), "utf8")).toContain("@example 9007199254740993");
  });

  it.each<[what: string, make: (folder: string, other: string) => void, says: RegExp]>([
    [
      "a folder that is a link",
      (folder, other) => symlinkSync(other, join(folder, "generated")),
      /^accord: generated is a link, and Accord writes through none/,
    ],
    [
      "a file that is a link",
      (folder, other) => {
        mkdirSync(join(folder, "generated/museum"), { recursive: true });
        symlinkSync(join(other, "museum/types.ts"), join(folder, "generated/museum/types.ts"));
      },
      /^accord: generated\/museum\/types\.ts is a link/,
    ],
    [
      "somebody's own file",
      (folder) => write(folder, { "generated/museum/types.ts": "mine" }),
      /^accord: generated\/museum\/types\.ts was not written by accord generate: move it/,
    ],
    [
      "somebody's own file in place of a folder",
      (folder) => write(folder, { "generated/museum": "mine" }),
      /^accord: generated\/museum is no folder: move it/,
    ],
  ])("leaves %s alone", async (_, make, says) => {
    const folder = makeFolder({
      "accord.yaml": "contracts: {museum: {openapi: openapi.yaml}}\n",
      "openapi.yaml": museum,
    });
    const other = makeFolder({ "museum/types.ts": "mine" });
    make(folder, other);
    expect(await runInFolder(folder, "generate")).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
    expect(readFileSync(join(other, "museum/types.ts"), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "generated/museum/openapi.yaml"))).toBe(false);
  });

  it("fetches nothing that an example, an extension or a discriminator names", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end("{}");
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${await listenOn(server)}/other.json`;
    const schema = {
      type: "object",
      example: { $ref: url },
      "x-note": { $ref: url },
      discriminator: { propertyName: "kind", mapping: { other: url } },
      properties: { kind: { type: "string" } },
    };
    const folder = makeFolder({
      "accord.yaml": "contracts: {museum: {openapi: openapi.yaml}}\n",
      "openapi.yaml": {
        ...museum,
        components: { ...museum.components, schemas: { ...museum.components.schemas, Odd: schema } },
      },
    });
    expect(await runInFolder(folder, "generate")).toMatchObject({ code: 0 });
    expect(asked).toEqual([]);
  });

  it("writes the messages and services of .proto files", async () => {
    const folder = makeFolder({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop,
    });
    expect(await runInFolder(folder, "generate")).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "generated/shop/shop/v1/shop_pb.ts"), "utf8")).toContain(
      "export const ShopService",
    );
    expect(await runInFolder(folder, "generate", "--check")).toMatchObject({ code: 0 });
  });

  it("leaves the contracts of the package alone", async () => {
    expect(await runInFolder(makeFolder({}), "generate", "chat")).toMatchObject({
      code: 2,
      stderr: "accord: chat ships with Accord, generated: import accord-contracts/chat.\n",
    });
  });
});
