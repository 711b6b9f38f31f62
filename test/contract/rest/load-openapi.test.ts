import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { listCases } from "../../../src/contract/rest/cases.js";
import { loadOpenApi } from "../../../src/contract/rest/load-openapi.js";
import { makeFolder } from "../../support/museum.js";

const folder = mkdtempSync(join(tmpdir(), "accord-openapi-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads a document of one operation whose only response has an example with `x-case`. */
function load(notes: unknown, status = "200") {
  const examples = { one: { value: [], "x-case": notes } };
  const responses = { [status]: { description: "", content: { "application/json": { examples } } } };
  const file = join(folder, "openapi.json");
  const paths = { "/pets": { get: { operationId: "listPets", responses } } };
  writeFileSync(file, JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths }));
  return loadOpenApi(file);
}

describe("loadOpenApi", () => {
  it("reads a case", async () => {
    await expect(load({ rule: "listPets.all", given: ["shop", { state: "pet" }] })).resolves.toBeDefined();
  });

  it("adds the cases of files to the parameters, the body and the response that operations share", async () => {
    const content = { "application/json": { schema: {} } };
    const id = { name: "id", in: "path", required: true, schema: {} };
    const put = {
      parameters: [{ $ref: "#/components/parameters/id" }],
      requestBody: { $ref: "#/components/requestBodies/pet" },
      responses: { "200": { $ref: "#/components/responses/pet" } },
    };
    const own = makeFolder({
      "openapi.json": {
        openapi: "3.1.0",
        info: { title: "Pets", version: "1" },
        paths: { "/pets/{id}": { put }, "/toys/{id}": { put } },
        components: {
          parameters: { id },
          requestBodies: { pet: { content } },
          responses: { pet: { description: "", content } },
        },
      },
      "components/examples/putPetsById/rename.yaml": {
        parameters: { id: 7 },
        request: { summary: "Rename", value: ["Rex"] },
        status: 200,
        response: { summary: "Renamed", "x-case": { rule: "a.b", given: [] }, value: ["Rex"] },
      },
    });
    const document = await loadOpenApi(join(own, "openapi.json"));
    expect(listCases(document)).toMatchObject([
      { operationId: "putPetsById", name: "rename", request: { path: { id: 7 } }, response: { status: 200 } },
    ]);
  });

  it.each([
    ["a key twice", '{"openapi": "3.1.0", "info": {}, "paths": {"/a": {}, "/a": {}}}', /duplicated mapping key.*1:/],
    ["no end", '{"openapi": "3.1.0", "info": {"title": "A", "version": "1"}, "paths": {"/a": ', /cannot be read/],
  ])("rejects JSON that has %s", async (_, text, message) => {
    const file = join(folder, "bad.json");
    writeFileSync(file, text);
    await expect(loadOpenApi(file)).rejects.toThrow(message);
  });

  it("reads JSON with quotes and colons in its texts", async () => {
    const file = join(folder, "texts.json");
    const description = 'a "b": {"c": 1}, \\": "';
    writeFileSync(
      file,
      JSON.stringify({ openapi: "3.1.0", info: { title: "A", description, version: "1" }, paths: {} }),
    );
    expect((await loadOpenApi(file)) as unknown).toMatchObject({ info: { description } });
  });

  it.each<[string, unknown, string | undefined, string]>([
    ["no states", { rule: "a" }, undefined, "`x-case` needs the list of its provider states: write `given: []`"],
    ["a state that is no list", { rule: "a", given: "shop" }, undefined, "needs the list of its provider states"],
    [
      "a state without name",
      { rule: "a", given: [{ params: {} }] },
      undefined,
      "needs the list of its provider states",
    ],
    ["no rule", { given: [] }, undefined, "`x-case` needs the id of a rule: write `rule: <id>`"],
    ["notes that are no object", true, undefined, "`x-case` must be an object with `rule` and `given`"],
    ["the default response", { rule: "a", given: [] }, "default", "a case expects one status: move it to a response"],
    ["a class of statuses", { rule: "a", given: [] }, "4XX", "a case expects one status: move it to a response"],
  ])("says where a case has %s, and what to write", async (_, notes, status, problem) => {
    const loading = load(notes, status);
    await expect(loading).rejects.toMatchObject({ name: "UsageError" });
    await expect(loading).rejects.toThrow(
      `${join(folder, "openapi.json")}: GET /pets: example \`one\` of response ${status ?? "200"}: `,
    );
    await expect(loading).rejects.toThrow(problem);
  });
});
