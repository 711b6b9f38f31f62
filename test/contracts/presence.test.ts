import { describe, expect, it } from "vitest";
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
    expect(ruleStates(report)).toEqual({
      "listPets.response": "not-exercised",
      "listPets.request": "not-exercised",
    });
    expect(report.exitCode).toBe(3);
    expect(operationStates(report)).toEqual({ listPets: "partial" });
  });

  it("shows its refusals if the server also accepts a request", async () => {
    const answer: ServedDocument["answer"] = (request) =>
      request === "GET /pets?limit=5" ? [200, []] : pets.answer(request, {});
    const { report } = await verifyServed({ ...pets, answer });
    expect(ruleStates(report)).toEqual({ "listPets.response": "kept", "listPets.request": "kept" });
    expect(operationStates(report)).toEqual({ listPets: "done" });
  });
});
