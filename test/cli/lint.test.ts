import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeFolder, museum, shop } from "../support/museum.js";
import { runInFolder } from "../support/run-in-process.js";

const project = { "accord.yaml": "contracts:\n  museum: {openapi: openapi.yaml}\n", "openapi.yaml": museum };
const rules = (text: string) => ({ ...project, "rules.yaml": text });

describe("accord lint", () => {
  it("accepts an ordinary document", async () => {
    const { code, stdout } = await runInFolder(makeFolder(project), "lint");
    expect([code, stdout]).toEqual([0, "museum: no errors, no warnings\n"]);
  });

  it("reads `type: null` in OpenAPI 3.0 as OpenAPI 3.1 does, with a warning", async () => {
    const schemas = { Artwork: { anyOf: [{ type: "string" }, { type: "null" }] } };
    const document = { ...museum, openapi: "3.0.3", components: { ...museum.components, schemas } };
    const { code, stdout } = await runInFolder(makeFolder({ ...project, "openapi.yaml": document }), "lint");
    expect(stdout).toContain("warning: OpenAPI 3.0 has no type `null`, but `nullable: true`. ");
    expect(code).toBe(0);
  });

  it("accepts rules beside a document", async () => {
    const text = "listArtworks:\n  - {id: listArtworks.newest-first, text: The newest artwork is the first.}\n";
    expect(await runInFolder(makeFolder(rules(text)), "lint", "museum")).toMatchObject({ code: 0 });
  });

  it.each<[says: string, files: Record<string, string | object>]>([
    [
      "openapi.yaml:3:1: error: Property `path` is not expected here.",
      {
        ...project,
        "openapi.yaml": "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npath: {}\n",
      },
    ],
    [
      "openapi.yaml:4:3: error: bad indentation of a mapping entry (read)\nmuseum: 1 error, no warnings\n",
      { ...project, "openapi.yaml": "openapi: 3.1.0\npaths:\n   a: 1\n  b: 2\n  c: 3\n" },
    ],
    [
      "rules.yaml:1:1: error: there is no operation `listArtwork`: did you mean `listArtworks`? (read)",
      rules("listArtwork: []\n"),
    ],
    [
      "rules.yaml:2:5: error: listArtworks.0 needs the key `text`: write for example `text: The artwork",
      rules("listArtworks:\n  - id: listArtworks.a\n"),
    ],
    [
      "rules.yaml:2:28: error: listArtworks.0 has an unknown key `texts`: did you mean `text`?",
      rules("listArtworks:\n  - {id: list.a, text: B., texts: A.}\n"),
    ],
    [
      'rules.yaml:2:6: error: listArtworks.0.id is "first", which does not match',
      rules("listArtworks:\n  - {id: first, text: A.}\n"),
    ],
  ])("reports %s", async (says, files) => {
    const { code, stdout } = await runInFolder(makeFolder(files), "lint");
    expect(stdout).toContain(says);
    expect(stdout).toMatch(/\nmuseum: \d errors?, /);
    expect(code).toBe(1);
  });

  /** The document with an example of this response that is a case. */
  const withCase = (status: string, notes: object) => {
    const { get } = museum.paths["/artworks"];
    const content = { "application/json": { schema: {}, examples: { all: { value: [{ id: 1 }], "x-case": notes } } } };
    const responses = { ...get.responses, [status]: { description: "The artworks.", content } };
    return { ...museum, paths: { ...museum.paths, "/artworks": { get: { ...get, responses } } } };
  };
  const inRules = { rule: "listArtworks.newest-first", given: [] };

  it.each<[says: string, status: string, notes: object]>([
    ["`x-case` needs `given`; write `given: []` for none.", "200", { rule: "listArtworks.newest-first" }],
    ["`/*/artist` leads to nothing in the value of the example.", "200", { ...inRules, exact: ["/*/artist"] }],
    ["There is no rule `listArtworks.oldest-first`: add it", "200", { ...inRules, rule: "listArtworks.oldest-first" }],
    ["but this example is of the response `default`: move it to that of a status", "default", inRules],
    ["but this example is of the response `4XX`: move it to that of a status", "4XX", inRules],
  ])("reports %s in a case", async (says, status, notes) => {
    const text = "listArtworks:\n  - {id: listArtworks.newest-first, text: The newest artwork is the first.}\n";
    const lint = async (document: object) =>
      runInFolder(makeFolder({ ...rules(text), "openapi.yaml": document }), "lint");
    const { code, stdout } = await lint(withCase(status, notes));
    expect(stdout).toContain(says);
    expect(stdout).toMatch(/^openapi\.yaml:\d+:\d+: error: /);
    expect(code).toBe(1);
    expect(await lint(withCase("200", { ...inRules, exact: ["/*/id"] }))).toMatchObject({ code: 0 });
  });

  const caseFile = {
    parameters: { artist: "Monet" },
    status: 200,
    response: { summary: "His works", "x-case": inRules, value: [{ id: 1, title: "Water Lilies" }] },
  };
  it.each<[says: string, file: string, content: object]>([
    ["museum: no errors", "listArtworks/by_artist.yaml", caseFile],
    ["museum: no errors", "pets/cat.yaml", { status: "sold", name: "Cat" }],
    ["museum: no errors", "pet.yaml", { value: 1 }],
    ["/listArtwork/a.yaml:1: error: there is no operation `listArtwork`: did you mean", "listArtwork/a.yaml", caseFile],
    [
      "/listArtworks/a.yaml:5: error: `listArtworks` has no response 204:",
      "listArtworks/a.yaml",
      { ...caseFile, status: 204 },
    ],
    ["/a.yaml: a case is a file <operationId>/<case>.yaml: rename", "a.yaml", caseFile],
    [
      "/listArtworks/a.yaml:1: error: the file needs the key `status`",
      "listArtworks/a.yaml",
      { ...caseFile, status: undefined },
    ],
    [
      "There is no rule `listArtworks.a`",
      "listArtworks/a.yaml",
      { ...caseFile, response: { ...caseFile.response, "x-case": { rule: "listArtworks.a", given: [] } } },
    ],
  ])("says %s for the file components/examples/%s", async (says, file, content) => {
    const text = "listArtworks:\n  - {id: listArtworks.newest-first, text: The newest artwork is the first.}\n";
    const { code, stdout } = await runInFolder(
      makeFolder({ ...rules(text), [`components/examples/${file}`]: content }),
      "lint",
    );
    expect(stdout).toContain(says);
    expect(code).toBe(says.startsWith("museum") ? 0 : 1);
  });

  it("names rules that a check in code misspells, and in the tier strict those that nothing shows", async () => {
    const check = (rule: string) =>
      `export const newestFirst = {\n  id: "workflow newest-first",\n  operation: "listArtworks",\n  summary: "",\n  rules: ["${rule}"],\n  run: async () => {},\n};\n`;
    const text =
      "listArtworks:\n  - {id: listArtworks.newest-first, text: The newest artwork is the first.}\n  - id: listArtworks.all\n    text: All are listed.\n";
    const lint = async (rule: string, ...options: string[]) =>
      runInFolder(makeFolder({ ...rules(text), "checks/newest-first.mjs": check(rule) }), "lint", ...options);
    expect(await lint("listArtworks.newest-first")).toMatchObject({ code: 0 });
    expect((await lint("listArtworks.newest-first", "--tier", "strict")).stdout).toContain(
      "rules.yaml:3: error: listArtworks.all: no case or workflow names it.",
    );
    expect(await lint("listArtworks.newest")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^checks\/newest-first\.mjs:2: error: workflow newest-first: there is no rule `listArtworks\.newest`: did you mean `listArtworks\.newest-first`\? \(rules\)$/m,
      ),
    });
  });

  it("asks for a complete contract in the tier strict", async () => {
    const folder = makeFolder(project);
    const { code, stdout } = await runInFolder(folder, "lint", "museum", "--tier", "strict");
    expect(code).toBe(1);
    for (const check of ["accord/described", "operation-4xx-response", "info-license"])
      expect(stdout).toContain(`(${check})`);
  });

  it("compiles .proto files, and runs buf lint in the tier strict", async () => {
    const folder = makeFolder({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop,
    });
    expect(await runInFolder(folder, "lint")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/:19:3: warning: ShopService\/Watch streams\. .*\nshop: no errors, 1 warning\n$/),
    });
    const other = makeFolder({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop.replace("service ShopService", "service Shop"),
    });
    expect(await runInFolder(other, "lint", "--tier", "strict")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('proto/shop/v1/shop.proto:17:9: error: Service name "Shop" should be suffixed'),
    });
  });

  it("reports mistakes in the cases of RPCs", async () => {
    const folder = makeFolder({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop,
      "proto/cases/shop.yaml": "rules: []\ncases:\n  - {name: a, rpc: ShopService/Get, request: {}, reply: {}}\n",
    });
    expect(await runInFolder(folder, "lint")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^proto\/cases\/shop\.yaml:3:.*error: /m),
    });
  });

  it.each(["museum", "parcels", "library"])("accepts the contract %s", async (name) => {
    const folder = fileURLToPath(new URL(`../contracts/${name}`, import.meta.url));
    expect(await runInFolder(folder, "lint")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(": no errors, "),
    });
  });

  it("knows the contracts of the package, and suggests names", async () => {
    const folder = makeFolder(project);
    expect(await runInFolder(folder, "lint", "daemon")).toMatchObject({ code: 0 });
    expect(await runInFolder(folder, "lint", "museums")).toMatchObject({
      code: 2,
      stderr: "accord: There is no contract museums: did you mean `museum`?\n",
    });
    expect(await runInFolder(makeFolder({}), "lint")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("This folder has no accord.yaml: write it with `npx --no-install accord init`"),
    });
  });

  it("prints annotations on GitHub", async () => {
    process.env.GITHUB_ACTIONS = "true";
    try {
      const { stdout } = await runInFolder(makeFolder(rules("listArtwork: []\n")), "lint");
      expect(stdout).toContain("::error file=rules.yaml,line=1,col=1,title=read::there is no operation");
    } finally {
      delete process.env.GITHUB_ACTIONS;
    }
  });
});
