import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { makeFolder, museum, shop, write } from "../support/museum.js";
import { runInFolder } from "../support/run-in-process.js";

const old = {
  ...museum,
  openapi: "3.0.3",
  paths: { ...museum.paths, "/status": { get: { responses: { "200": { description: "It works." } } } } },
};

/** Each list has nine times the one before. */
const manyAliases = `x-a0: &a0 [x]\n${Array.from({ length: 9 }, (_, level) => `x-a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join()}]\n`).join("")}`;

describe("accord init", () => {
  it.each([
    ["openapi.yaml", { "openapi.yaml": museum }, "openapi.yaml", 3],
    ["a JSON document", { "museum.json": museum }, "museum.json", 3],
    ["a document in a usual folder", { "api/v1.yml": museum, "package.json": {} }, "api/v1.yml", 3],
    ["OpenAPI 3.0", { "openapi.yaml": old }, "openapi.yaml", 4],
  ])("finds %s, and writes a project that claims nothing", async (_, files, document, operations) => {
    const folder = makeFolder(files);
    const { code, stdout, stderr } = await runInFolder(folder, "init");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^wrote accord\.yaml\nwrote (?:api\/)?rules\.yaml\nmuseum: \d operations\. Next:\n/);
    expect(stdout).toContain(`museum: ${operations} operations`);
    expect(parse(readFileSync(join(folder, "accord.yaml"), "utf8"))).toEqual({
      contracts: { museum: { openapi: document } },
    });
    const rules = readFileSync(join(folder, document, "../rules.yaml"), "utf8");
    expect(parse(rules)).toBe(null);
    expect(rules).toContain("#   x-case: {rule: listArtworks.…, given: []}\n");
    expect(rules).toContain("# PUT /artworks/{id}: Replace an artwork\n# replaceArtwork:\n");
    expect(await runInFolder(folder, "lint")).toMatchObject({ code: 0 });
  });

  it("writes a project for a folder of .proto files, and names RPCs that stream", async () => {
    const folder = makeFolder({ "proto/shop/v1/shop.proto": shop });
    const { code, stdout } = await runInFolder(folder, "init");
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^proto\/shop\/v1\/shop\.proto:19:3: warning: ShopService\/Watch streams\. /),
        "wrote accord.yaml",
        "wrote proto/cases/shop.yaml",
        "shop: 1 RPC. Next:",
        "  npx --no-install accord verify shop URL  which RPCs of a server answer as documented",
        "  proto/cases/shop.yaml                    what a server must do beyond that",
      ]),
    );
    expect(parse(readFileSync(join(folder, "accord.yaml"), "utf8"))).toEqual({
      contracts: { shop: { proto: "proto" } },
    });
    expect(readFileSync(join(folder, "proto/cases/shop.yaml"), "utf8")).toContain("# ShopService/GetItem\n");
    expect(await runInFolder(folder, "lint")).toMatchObject({ code: 0 });
  });

  const titled = (title: string) => ({ ...museum, info: { ...museum.info, title } });
  const swagger = {
    swagger: "2.0",
    info: { title: "Garden", version: "1" },
    host: "garden.example",
    paths: { "/plants": { get: { responses: { "200": { description: "Plants." } } } } },
  };
  const single = shop.replace("package shop.v1;", "");
  it.each<[name: string, given: string, files: Record<string, string | object>, args?: string[]]>([
    ["museum", "a document named openapi.yaml", { "openapi.yaml": museum }],
    ["api", "a title without a name", { "openapi.yaml": titled("API") }],
    ["api", "a title in another script", { "openapi.yaml": titled("Музей") }],
    ["kiosk", "the file, if the title gives no name", { "kiosk.yaml": titled("REST API v2") }],
    ["cafe", "a title with an accent", { "openapi.yaml": titled("Café API") }],
    ["chat-api", "the title of a contract that ships", { "openapi.yaml": titled("Chat") }],
    ["museum", "OpenAPI 3.2", { "openapi.yaml": { ...museum, openapi: "3.2.0" } }],
    ["garden", "Swagger 2.0", { "openapi.yaml": swagger }],
    ["shop", "a single .proto file", { "shop.proto": shop }, ["shop.proto"]],
    ["shop", "a .proto file of which there is a copy", { "shop.proto": shop, "old/shop.proto": shop }, ["shop.proto"]],
    ["shop", "the folder of a .proto file", { "shop.proto": shop }],
    ["api", ".proto files without a package", { "proto/shop.proto": single }],
    [
      "acme",
      "several packages",
      {
        "proto/a.proto": shop.replace("shop.v1", "acme.shop.v1"),
        "proto/b.proto": shop.replace("shop.v1", "acme.b.v1"),
      },
    ],
  ])("gives the name %s by %s, and prints commands that work", async (name, _, files, args = []) => {
    const folder = makeFolder({ ...files, "node_modules/other/other.proto": "broken" });
    const { code, stdout } = await runInFolder(folder, "init", ...args);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`\n${name}: `) });
    const printed = [...stdout.matchAll(/^ {2}npx --no-install accord (.*?) {2}/gm)].map(([, line = ""]) => line);
    expect(printed).toEqual(["lint", `verify ${name} URL`]);
    expect(await runInFolder(folder, "lint")).toMatchObject({ code: 0 });
    const verify = await runInFolder(folder, "verify", name, "http://127.0.0.1:1", "--quiet");
    expect(`${verify.stdout}${verify.stderr}`).toContain("127.0.0.1:1");
    expect(verify.stderr).not.toMatch(/usage|argument|There is no contract/);
  });

  it("names the parts of a document that nothing judges, with their places", async () => {
    const get = {
      operationId: "getStatus",
      summary: "Status",
      parameters: [
        {
          ...{ name: "filter", in: "query", style: "deepObject" },
          schema: { type: "object", properties: { made: { type: "object" } } },
        },
      ],
      callbacks: { done: { "{$request.query.url}": { post: { responses: { "200": { description: "Done." } } } } } },
      responses: { "200": { description: "Fine.", content: { "application/xml": { schema: { type: "string" } } } } },
    };
    const folder = makeFolder({ "openapi.yaml": { ...museum, paths: { "/status": { get } } } });
    const { stdout } = await runInFolder(folder, "init");
    expect(stdout.split("\n").filter((line) => line.includes("unsupported"))).toEqual([
      expect.stringMatching(/^openapi\.yaml:\d+:\d+: warning: OpenAPI leaves open how filter\[made\] is written/),
      expect.stringMatching(/^openapi\.yaml:\d+:11: warning: Accord receives no calls, so .* the callback done\. /),
      expect.stringMatching(/^openapi\.yaml:\d+:15: warning: Accord does not read application\/xml, /),
    ]);
  });

  it("goes on without a part that cannot be used, and names it", async () => {
    const document = "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/a: {$ref: other.yaml}}\n";
    const { code, stdout } = await runInFolder(makeFolder({ "openapi.yaml": document }), "init");
    expect(stdout).toContain("openapi.yaml:3:13: error: Can't resolve $ref");
    expect(stdout).toContain("wrote accord.yaml");
    expect(code).toBe(0);
  });

  it.each<[name: string, files: Record<string, string | object>, args: string[], code: number, says: string]>([
    ["an empty folder", {}, [], 2, "Found neither an OpenAPI document nor .proto files in this folder. Name one: "],
    ["a missing document", {}, ["api.yaml"], 2, "There is no api.yaml: name an OpenAPI document or a folder"],
    [
      "several documents",
      { "a.yaml": museum, "b.yaml": museum },
      [],
      2,
      "There are several documents. Name one of a.yaml, b.yaml.",
    ],
    [
      "a folder that is a project",
      { "accord.yaml": "contracts: {}\n", "openapi.yaml": museum },
      [],
      2,
      "accord.yaml is there already: add the contract to it, or remove it first.",
    ],
    [
      "Swagger 1.2",
      { "openapi.yaml": 'info: {title: Museum, version: "1"}\nswagger: "1.2"\npaths: {}\n' },
      [],
      1,
      "openapi.yaml:2:1: error: Swagger 1.2 is not supported, only OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0",
    ],
    [
      "YAML whose aliases multiply",
      { "openapi.yaml": `openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n${manyAliases}` },
      [],
      1,
      "openapi.yaml:1:1: error: it has more than 2000000 values, with its YAML aliases",
    ],
    [
      "a broken .proto file",
      { "proto/a.proto": 'syntax = "proto3";\nmesage A {}\n' },
      [],
      1,
      "proto/a.proto:2:1: error: ",
    ],
  ])("rejects %s", async (_, files, args, code, says) => {
    const folder = makeFolder(files);
    const had = existsSync(join(folder, "accord.yaml"));
    const finished = await runInFolder(folder, "init", ...args);
    expect(finished.code).toBe(code);
    expect(`${finished.stdout}${finished.stderr}`).toContain(says);
    expect(existsSync(join(folder, "accord.yaml"))).toBe(had);
    expect(existsSync(join(folder, "rules.yaml"))).toBe(false);
  });

  it("keeps rules that are there", async () => {
    const folder = makeFolder({ "openapi.yaml": museum });
    write(folder, { "rules.yaml": "listArtworks: []\n" });
    expect((await runInFolder(folder, "init")).stdout).toContain("wrote accord.yaml\nkept rules.yaml\n");
    expect(readFileSync(join(folder, "rules.yaml"), "utf8")).toBe("listArtworks: []\n");
  });

  it.each([
    ["rules.yaml", "outside.yaml"],
    ["accord.yaml", "outside.yaml"],
  ])("writes nothing through %s, a link that leads nowhere", async (name, target) => {
    const [folder, other] = [makeFolder({ "openapi.yaml": museum }), makeFolder({})];
    symlinkSync(join(other, target), join(folder, name));
    await runInFolder(folder, "init");
    expect(existsSync(join(other, target))).toBe(false);
  });

  it("writes nothing into a folder that is a link", async () => {
    const [folder, other] = [makeFolder({}), makeFolder({ "openapi.yaml": museum })];
    symlinkSync(other, join(folder, "api"));
    expect(await runInFolder(folder, "init")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("api is a link"),
    });
    expect([existsSync(join(other, "rules.yaml")), existsSync(join(folder, "accord.yaml"))]).toEqual([false, false]);
  });

  it.each(["\n", "\r", "\r\n", "\u0085", "\u2028"])("writes only comments about names with %j", async (lineBreak) => {
    const text = `a${lineBreak}"*": [{id: a.b, text: planted}]`;
    const { get } = museum.paths["/artworks"];
    const folder = makeFolder({
      "openapi.yaml": { ...museum, paths: { [`/${text}`]: { get: { ...get, summary: text } } } },
    });
    await runInFolder(folder, "init");
    expect(parse(readFileSync(join(folder, "rules.yaml"), "utf8"))).toBe(null);
  });
});
