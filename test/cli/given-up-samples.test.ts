import { expect, it } from "vitest";
import { makeFolder } from "../support/museum.js";
import { startAccordIn } from "../support/run-accord.js";

const huge = { type: "string", minLength: 100_000_000 };

/** An API with an operation that takes and returns a text that is too long to make up. */
function makeHuge(): string {
  const content = { "application/json": { schema: huge } };
  const parameters = [{ name: "q", in: "query", required: true, schema: huge }];
  return makeFolder({
    "accord.yaml": "contracts: {texts: {openapi: openapi.yaml}}\n",
    "openapi.yaml": {
      ...{ openapi: "3.1.0", info: { title: "Texts", version: "1" } },
      paths: {
        "/texts": {
          get: { operationId: "listTexts", parameters, responses: { 200: { description: "All", content } } },
        },
        "/all": { get: { operationId: "listAll", responses: { 200: { description: "All", content } } } },
      },
    },
  });
}

it("accord mock says which body it makes up no value for", async () => {
  const { printed, child, finished } = startAccordIn(makeHuge(), "mock", "texts", "--port", "0");
  const [url] = await printed(/http:\/\/\S+/);
  expect((await (await fetch(`${url}/all`)).text()).length).toBeLessThan(100);
  child.kill("SIGINT");
  expect((await finished).stderr).toMatch(/~1all\/get.*takes more than 500,000 steps to make, so none is made up/);
});

it("accord verify says which parameter it makes up no value for", async () => {
  const { finished } = startAccordIn(makeHuge(), "verify", "texts", "http://127.0.0.1:9");
  expect((await finished).stderr).toContain(
    "listTexts, q: a value takes more than 500,000 steps to make, so none is made up",
  );
});
