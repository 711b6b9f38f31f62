import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { findContract, readProject } from "../../../src/contract/project/read-project.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "accord-project-"));
  writeFileSync(join(folder, "openapi.yaml"), "openapi: 3.1.0\n");
  mkdirSync(join(folder, "proto/shop/v1"), { recursive: true });
  writeFileSync(join(folder, "proto/shop/v1/shop.proto"), 'syntax = "proto3";\n');
  mkdirSync(join(folder, "empty"));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  return () => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  };
});

function read(text: string) {
  const file = join(folder, "accord.yaml");
  writeFileSync(file, text);
  return readProject(file);
}

function problemsOf(text: string): string[] {
  try {
    read(text);
    return [];
  } catch (error) {
    return String((error as Error).message).split("\n");
  }
}

describe("readProject", () => {
  it("reads contracts with absolute paths", () => {
    const { contracts } = read(
      "contracts:\n  museum:\n    openapi: ./openapi.yaml\n    credentials: {token: access}\n  shop: {proto: proto}\n",
    );
    const conventions = { credentials: { token: "access" } };
    expect(contracts).toEqual([
      { kind: "rest", name: "museum", openapi: join(folder, "openapi.yaml"), conventions },
      { kind: "rpc", name: "shop", proto: join(folder, "proto") },
    ]);
  });

  it("reads merge keys", () => {
    const { contracts } = read(
      "contracts:\n  museum: &shared\n    openapi: openapi.yaml\n    caller: visitor\n  guests: {<<: *shared, caller: guest}\n",
    );
    expect(contracts[1]).toMatchObject({ openapi: join(folder, "openapi.yaml"), conventions: { caller: "guest" } });
  });

  it("reads errors, levels, callers and values as they are written", () => {
    const error = { body: { "/ok": false, "/code": { matches: "^[A-Z]+$" } }, code: "/code" };
    const level = { call: "getStatus", at: "/level", version: "/version" };
    const values = { server_id: "main", "/orders/{id}": 7 };
    const museum = { openapi: "openapi.yaml", error, level, caller: "visitor", values };
    expect(read(JSON.stringify({ contracts: { museum } })).contracts[0]).toMatchObject({
      conventions: { error, level, caller: "visitor", values },
    });
  });

  const contract = (text: string) => `contracts:\n  museum:\n    ${text}\n`;
  const valid = "openapi: openapi.yaml";
  it.each<[want: string, text: string]>([
    ["accord.yaml:1:1: the file must be object", ""],
    ['accord.yaml:1:1: the file needs the key `contracts`: write for example `contracts: {"museum"', "{}"],
    ["accord.yaml:1:1: the file has an unknown key `contract`: did you mean `contracts`?", "contract: {}\n"],
    ["accord.yaml:1:1: contracts must NOT have fewer than 1 properties: write for example", "contracts: {}\n"],
    [
      "accord.yaml:4:14: contracts.museum.values.id must be string,number,boolean: write for example `main`",
      contract(`${valid}\n    values: {id: [1]}`),
    ],
    ["accord.yaml:2:11: Nested mappings are not allowed", "contracts:\n  museum: openapi: openapi.yaml\n"],
    ["accord.yaml:1:1: contracts names `Museum`, which is not in kebab-case", `contracts:\n  Museum: {${valid}}\n`],
    ["accord.yaml:2:3: contracts.museum must be object: write for example", "contracts:\n  museum: openapi.yaml\n"],
    ["accord.yaml:2:3: contracts.museum needs a document: write for example `openapi: openapi.yaml`", contract("{}")],
    [
      "accord.yaml:3:5: contracts.museum has an unknown key `openapi-file`: did you mean `openapi`?",
      contract("openapi-file: a"),
    ],
    ["accord.yaml:2:3: contracts.museum has both `openapi` and `proto`", contract(`${valid}\n    proto: proto`)],
    [
      "accord.yaml:3:5: contracts.museum.openapi must be string: write for example `openapi.yaml`",
      contract("openapi: 3"),
    ],
    ["accord.yaml:3:5: contracts.museum.openapi names api.yaml, which does not exist", contract("openapi: api.yaml")],
    ["accord.yaml:3:5: contracts.museum.openapi names proto, which is a folder", contract("openapi: proto")],
    ["accord.yaml:3:5: contracts.museum.openapi is a URL", contract("openapi: https://museum.example/openapi.yaml")],
    ["accord.yaml:3:5: contracts.museum.proto names empty, which has no .proto file", contract("proto: empty")],
    [
      "accord.yaml:3:5: contracts.museum.proto names openapi.yaml: expected a .proto file, a folder of them or a descriptor set (*.binpb)",
      contract("proto: openapi.yaml"),
    ],
    ["accord.yaml:4:5: contracts.museum has an unknown key `caller`", contract("proto: proto\n    caller: member")],
    [
      "accord.yaml:4:5: contracts.museum.error must NOT have fewer than 1 properties: write for example `{",
      contract(`${valid}\n    error: {}`),
    ],
    [
      "accord.yaml:4:13: contracts.museum.error.body names `code`, which does not match ^/: write for example `/code`",
      contract(`${valid}\n    error: {body: {code: 1}}`),
    ],
    [
      "accord.yaml:4:28: contracts.museum.error.body./code has an unknown key `match`: did you mean `matches`?",
      contract(`${valid}\n    error: {body: {/code: {match: a}}}`),
    ],
    [
      'accord.yaml:4:13: contracts.museum.level.at is "level", which does not match ^/: write for example `/code`',
      contract(`${valid}\n    level: {at: level, call: a}`),
    ],
    [
      "accord.yaml:5:7: contracts.museum.credentials has an unknown key `passwords`: did you mean `password`?",
      contract(`${valid}\n    credentials:\n      passwords: secret`),
    ],
    ["accord.yaml:2:3: chat is a contract that Accord ships: choose another name", `contracts:\n  chat: {${valid}}\n`],
  ])("reports %j", (want, text) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(want)]);
  });

  it("reports every mistake", () => {
    expect(problemsOf(`contracts:\n  a: {openapi: a.yaml}\n  b: {proto: b}\n`)).toEqual([
      expect.stringMatching(/^accord.yaml:2:7: contracts.a.openapi names a.yaml/),
      expect.stringMatching(/^accord.yaml:3:7: contracts.b.proto names b/),
    ]);
  });
});

describe("findContract", () => {
  it("finds the contracts of the package in any folder", () => {
    expect([findContract("chat").kind, findContract("daemon").kind]).toEqual(["rest", "rpc"]);
  });

  it("finds the contracts of a given project", () => {
    const file = join(folder, "accord.yaml");
    writeFileSync(file, `contracts: {museum: {openapi: openapi.yaml}}\n`);
    expect(findContract("museum", file)).toMatchObject({ name: "museum", openapi: join(folder, "openapi.yaml") });
    expect(() => findContract("museums", file)).toThrow("There is no contract museums: did you mean `museum`?");
    expect(() => findContract("museum", join(folder, "other.yaml"))).toThrow(/^There is no other.yaml. Write it with/);
  });
});
