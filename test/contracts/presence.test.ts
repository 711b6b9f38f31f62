import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "../../src/base/listen.js";
import { createSecret } from "../../src/secrets/secret.js";
import { json, operationStates, ruleStates, type ServedDocument, verifyServed } from "./served-document.js";

const error = { type: "object", required: ["title"], properties: { title: { type: "string" } } };
const nowhere = [404, { title: "No such path" }] as const;

describe("a public API whose server answers its documented 400 to everything", () => {
  const pets: ServedDocument = {
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 }, example: 5 }],
          responses: { "200": json({ type: "array" }), "400": json(error) },
        },
      },
    },
    answer: (request) => (request.includes("/pets") ? [400, { title: "Bad" }] : nowhere),
  };

  it("shows no rule, and the run is inconclusive", async () => {
    const { report } = await verifyServed(pets);
    expect(new Set(Object.values(ruleStates(report)))).toEqual(new Set(["not-exercised"]));
    expect(report.exitCode).toBe(3);
    expect(operationStates(report)).toEqual({ listPets: "partial" });
  });

  it("shows its refusals if the server also accepts a request", async () => {
    const answer: ServedDocument["answer"] = (request) =>
      request === "GET /pets?limit=5" ? [200, []] : pets.answer(request, {}, "");
    const { report } = await verifyServed({ ...pets, answer });
    expect(new Set(Object.values(ruleStates(report)))).toEqual(new Set(["kept"]));
    expect(operationStates(report)).toEqual({ listPets: "done" });
  });
});

const pet = { type: "object", required: ["id"], properties: { id: { type: "integer" } } };
const petById = {
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" }, example: 1 }],
  get: { operationId: "getPet", responses: { "200": json(pet), "404": json(error) } },
  delete: { operationId: "deletePet", responses: { "204": { description: "" }, "404": json(error) } },
};

describe("GET and DELETE of one thing, whose GET has a wrong type", () => {
  it("breaks the rule of the responses of GET, whatever the order of the requests", async () => {
    let isThere = true;
    const { report } = await verifyServed({
      paths: { "/pets/{id}": petById },
      answer: (request) => {
        const [method, path] = request.split(" ");
        if (path !== "/pets/1" || !isThere) return [404, { title: `No ${path}` }];
        if (method === "GET") return [200, { id: "one" }];
        isThere = false;
        return [204];
      },
    });
    expect(ruleStates(report)["getPet.response"]).toBe("broken");
    expect(operationStates(report).getPet).toBe("failing");
    expect(report.verdict?.word).toBe("FAIL");
  });
});

describe("an operation that only later requests show to be missing", () => {
  it("is not implemented if any request gets 501, and no rule about it is kept", async () => {
    const { report } = await verifyServed({
      document: {
        security: [{ token: [] }],
        components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      },
      paths: {
        "/pets": {
          get: {
            operationId: "listPets",
            parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, example: 5 }],
            responses: { "200": json({ type: "array" }), "401": json(error), "501": json(error) },
          },
        },
      },
      answer: (request, { authorization = "" }) => {
        if (!request.includes("/pets")) return nowhere;
        return authorization === "" ? [401, { title: "Who?" }] : [501, { title: "Later" }];
      },
    });
    expect(operationStates(report)).toEqual({ listPets: "not-implemented" });
    expect(Object.values(ruleStates(report)).filter((state) => state !== "not-exercised")).toEqual([]);
    expect(report.checks.filter(({ verdict }) => verdict === "failed").map(({ id }) => id)).toEqual([
      "operation listPets",
    ]);
  });
});

describe("a server that does not listen", () => {
  it("gets one sentence after the first request", async () => {
    const { url, close } = await listen(createServer());
    await close();
    const pets = { "/pets": { get: { operationId: "listPets", responses: { "200": json({}) } } } };
    const run = verifyServed({ paths: pets, answer: () => nowhere }, { url });
    await expect(run).rejects.toThrow(
      new RegExp(`^${url} does not answer: connect ECONNREFUSED .* Start the server, or correct the URL$`),
    );
  });
});

describe("a run of one operation", () => {
  it.each([
    ["an account", { accounts: { caller: { secret: createSecret("s3cret") } } }, undefined],
    ["provider states", {}, { "x-callers": { caller: "Anybody." }, "x-states": { shop: { description: "Empty." } } }],
  ])("calls no other, with %s", async (_, options, states) => {
    const list = (operationId: string) => ({
      get: {
        operationId,
        parameters: [{ name: "limit", in: "query", schema: { type: "integer" }, example: 5 }],
        responses: { "200": json({ type: "array" }), "401": json(error), "400": json(error) },
      },
    });
    const { report, requests } = await verifyServed(
      {
        document: {
          security: [{ token: [] }],
          components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
        },
        paths: { "/pets": list("listPets"), "/owners": list("listOwners") },
        ...(states === undefined ? {} : { states }),
        answer: (request, { authorization }) => {
          if (request === "POST /states") return [200, { credentials: { caller: { token: "s3cret" } } }];
          if (authorization !== "Bearer s3cret") return [401, { title: "Who?" }];
          if (!request.includes("/owners")) return nowhere;
          return request === "GET /owners?limit=5" ? [200, []] : [400, { title: "Bad" }];
        },
      },
      { operations: ["listOwners"], ...options },
    );
    expect(requests.filter((request) => request.includes("/pets"))).toEqual([]);
    expect(operationStates(report)).toEqual({ listOwners: "done" });
  });
});
