import { join } from "node:path";
import { expect, it } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { isInRange, typeInRange } from "../../src/http/media-type.js";
import { createRestMock } from "../../src/mock/rest/create-rest-mock.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";
import { makeFolder } from "../support/museum.js";

const ranges = ["image/*", "audio/*", "text/*", "application/*+json", "application/*", "*/*", "application/pdf"];
it.each(ranges)("is %s for a media type that stands for it", (range) => {
  expect(isInRange(typeInRange(range), range)).toBe(true);
  expect(typeInRange(range)).not.toContain("*");
});

it.each([
  ["image/png", "audio/*"],
  ["application/json", "application/*+json"],
  ["text/plain", "text/html"],
])("has no %s in %s", (type, range) => {
  expect(isInRange(type, range)).toBe(false);
});

it("lets a mock and a verifier understand each other", async () => {
  const content = (type: string, schema: object) => ({ content: { [type]: { schema } } });
  const object = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
  const binary = { type: "string", format: "binary" };
  const post = (sent: string, got: object) => ({
    post: {
      requestBody: { required: true, ...content(sent, object) },
      responses: { 200: { description: "OK", ...got } },
    },
  });
  const document = {
    openapi: "3.1.0",
    info: { title: "Ranges", version: "1" },
    servers: [{ url: "/" }],
    paths: {
      "/image": post("application/*+json", content("image/*", binary)),
      "/json": post("application/*", content("application/*+json", object)),
    },
  };
  const openapi = join(makeFolder({ "openapi.json": document }), "openapi.json");
  const contract = await loadRestContract({ kind: "rest", name: "ranges", openapi, conventions: {} });
  const mock = await createRestMock(contract.document, { port: 0 });
  const { checks } = await verifyRest(contract, { url: mock.url, degree: "everything" });
  await mock.close();
  expect(checks.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
  expect(checks.filter(({ outcome }) => outcome.kind === "passed").length).toBeGreaterThan(1);
});
