import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadRestContract } from "../../src/behaviour/load-rest-contract.js";
import { createRestMock } from "../../src/mock/rest/create-rest-mock.js";
import { proxyRest } from "../../src/traffic/rest/proxy-rest.js";
import { verifyRest } from "../../src/verify/rest/verify-rest.js";

const list = { schema: { type: "array", items: { type: "string", minLength: 1 } }, example: ["a,b;c|d.e", "é&=f g"] };
const numbers = { schema: { type: "array", items: { type: "integer" } }, example: [3, 4] };
const object = {
  schema: { type: "object", properties: { from: { type: "integer" }, to: { type: "string" } } },
  example: { from: 1, to: "x,y=z" },
};
const inPath = (style: string, explode: boolean, value: object) => ({
  in: "path",
  required: true,
  style,
  explode,
  ...value,
});
const inQuery = (style: string, explode: boolean, value: object) => ({ in: "query", style, explode, ...value });

const parameters: readonly object[] = [
  ...[false, true].flatMap((explode) =>
    ["simple", "label", "matrix"].flatMap((style) => [
      inPath(style, explode, list),
      inPath(style, explode, object),
      inPath(style, explode, { schema: { type: "integer" }, example: 7 }),
    ]),
  ),
  inQuery("form", true, list),
  inQuery("form", false, list),
  inQuery("form", true, object),
  inQuery("form", false, object),
  inQuery("spaceDelimited", false, numbers),
  inQuery("pipeDelimited", false, numbers),
  inQuery("deepObject", true, object),
  { in: "header", explode: true, ...object },
  { in: "header", ...numbers },
  { in: "cookie", explode: false, ...numbers },
];

const plain = { "application/json": { schema: { type: "boolean" }, example: true } };
const document = {
  openapi: "3.1.0",
  info: { title: "Styles", version: "1" },
  servers: [{ url: "/v1" }],
  paths: Object.fromEntries(
    parameters.map((parameter, i) => [
      `/operation${i}${"in" in parameter && parameter.in === "path" ? "/{p}" : ""}`,
      {
        get: {
          operationId: `operation${i}`,
          parameters: [{ name: "p", ...parameter }],
          responses: { 200: { description: "OK", content: plain }, 400: { description: "No", content: plain } },
        },
      },
    ]),
  ),
};

const folder = mkdtempSync(join(tmpdir(), "accord-styles-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("writes and reads every style alike in the verifier, the mock and the proxy", async () => {
  const openapi = join(folder, "openapi.json");
  writeFileSync(openapi, JSON.stringify(document));
  const contract = await loadRestContract({ kind: "rest", name: "styles", openapi, conventions: {} });
  const mock = await createRestMock(contract.document);
  const proxy = await proxyRest(contract, { url: `${mock.url}/v1` });
  const report = await verifyRest(contract, { url: proxy.apiUrl, only: ["case "] });
  await proxy.close();
  await mock.close();
  const cases = report.checks.filter(({ kind }) => kind === "case");
  expect(cases).toHaveLength(parameters.length);
  expect(cases.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
  // A path that no API has shows what the server answers if it lacks an operation.
  const judged = (await proxy.report()).checks.filter(({ operation }) => !operation.includes("no-such-operation"));
  expect(judged.length).toBeGreaterThanOrEqual(parameters.length);
  expect(judged.filter(({ outcome }) => outcome.kind !== "passed")).toEqual([]);
});
