import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, museum, shop, write } from "../support/museum.js";
import { runInFolder } from "../support/run-in-process.js";

/** Makes a repository with a commit of these files. */
function makeRepository(files: Readonly<Record<string, string | object>>): string {
  const folder = makeFolder(files);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  const author = ["-c", "user.name=A", "-c", "user.email=a@museum.example"];
  git("init");
  git("add", ".");
  git(...author, "commit", "--no-gpg-sign", "--message", "First");
  return folder;
}

const withVersion = (version: string, document: object = museum) => ({
  ...document,
  info: { ...museum.info, version },
});
const { get, post } = museum.paths["/artworks"];
const withPaths = (paths: object): object => ({ ...museum, paths });
const removed = withPaths({ "/artworks": { get } });
const added = withPaths({ ...museum.paths, "/rooms": { get: { ...get, operationId: "listRooms" } } });

describe("accord breaking", () => {
  it.each<[name: string, document: object, code: number, says: RegExp]>([
    ["no change", museum, 0, /^museum: none since HEAD\n$/],
    ["a new operation", withVersion("1.3.0", added), 0, /^minor: .*\nmuseum: minor since HEAD\n$/],
    [
      "a new operation without a new version",
      added,
      0,
      /\nmuseum: minor, needs version 1\.3\.0 or higher since HEAD\n$/,
    ],
    [
      "a removed operation",
      removed,
      1,
      /^major: [\s\S]*\nmuseum: major, needs version 2\.0\.0 or higher since HEAD\n$/,
    ],
    ["a removed operation in a new major version", withVersion("2.0.0", removed), 0, /\nmuseum: major since HEAD\n$/],
  ])("judges %s", async (_, document, code, says) => {
    const folder = makeRepository({
      "accord.yaml": "contracts: {museum: {openapi: api/openapi.yaml}}\n",
      "api/openapi.yaml": museum,
    });
    write(folder, { "api/openapi.yaml": document });
    const finished = await runInFolder(folder, "breaking", "--against", "HEAD");
    expect(finished.stdout).toMatch(says);
    expect(finished.code).toBe(code);
  });

  it("compares a document that was renamed", async () => {
    const folder = makeRepository({
      "accord.yaml": "contracts: {museum: {openapi: openapi.yaml}}\n",
      "openapi.yaml": museum,
    });
    renameSync(join(folder, "openapi.yaml"), join(folder, "museum.yaml"));
    write(folder, { "accord.yaml": "contracts: {museum: {openapi: museum.yaml}}\n", "museum.yaml": removed });
    const { code, stdout } = await runInFolder(folder, "breaking", "--against", "HEAD");
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringMatching(/^major: /) });
  });

  it("reads references to other folders, and rules beside the document", async () => {
    const files = {
      "accord.yaml": "contracts: {museum: {openapi: api/openapi.yaml}}\n",
      "api/openapi.yaml": withPaths({ "/artworks": { $ref: "../shared/artworks.yaml" } }),
      "shared/artworks.yaml": JSON.stringify({ get, post }).replaceAll(
        "#/components",
        "../api/openapi.yaml#/components",
      ),
    };
    const folder = makeRepository(files);
    const rule = { id: "listArtworks.newest-first", text: "The newest artwork is the first." };
    write(folder, { "api/rules.yaml": { listArtworks: [rule] } });
    expect(await runInFolder(folder, "breaking", "museum", "--against", "HEAD")).toMatchObject({
      code: 0,
      stdout:
        "minor: listArtworks: rule listArtworks.newest-first is new\nmuseum: minor, needs version 1.3.0 or higher since HEAD\n",
    });
  });

  it("judges .proto files by buf breaking", async () => {
    const folder = makeRepository({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop,
    });
    write(folder, {
      "proto/shop/v1/shop.proto": shop.replace("string name = 1;", "string name = 1;\n  int32 size = 2;"),
    });
    expect(await runInFolder(folder, "breaking", "--against", "HEAD")).toMatchObject({
      code: 0,
      stdout: "minor: the RPC contract has additions\nshop: minor since HEAD\n",
    });
    write(folder, { "proto/shop/v1/shop.proto": shop.replace("string name = 1;", "string name = 2;") });
    expect(await runInFolder(folder, "breaking", "--against", "HEAD")).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^major: .*proto\/shop\/v1\/shop\.proto:\d+: Previously present field [\s\S]*shop: major since HEAD\n$/,
      ),
    });
  });

  it("finds no change where only a buf.yaml is new, which names the files otherwise", async () => {
    const folder = makeRepository({
      "accord.yaml": "contracts: {shop: {proto: proto}}\n",
      "proto/shop/v1/shop.proto": shop,
    });
    write(folder, { "buf.yaml": "version: v2\nmodules: [{path: proto}]\n" });
    expect(await runInFolder(folder, "breaking", "--against", "HEAD")).toMatchObject({
      code: 0,
      stdout: "shop: none since HEAD\n",
    });
  });

  it("says which revision is missing, and that a contract is new", async () => {
    const folder = makeRepository({
      "accord.yaml": "contracts: {museum: {openapi: new.yaml}}\n",
      "openapi.yaml": museum,
    });
    renameSync(join(folder, "openapi.yaml"), join(folder, "new.yaml"));
    expect(await runInFolder(folder, "breaking", "--against", "HEAD")).toMatchObject({
      code: 0,
      stdout: "museum: new since HEAD\n",
    });
    expect(await runInFolder(folder, "breaking", "--against", "v9")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: v9 is neither a Git revision of this clone/),
    });
  });
});
