import { join } from "node:path";
import { expect, it } from "vitest";
import { type UnjudgedFeature, unjudgedFeatures } from "../../src/contract/unjudged-features.js";
import { lintContract } from "../../src/lint/lint-contract.js";
import { makeFolder, shop } from "../support/museum.js";

const ok = { description: "OK" };
const object = { type: "object", properties: { a: { type: "string" } } };
const get = (operation: object) => ({ paths: { "/a": { get: { responses: { 200: ok }, ...operation } } } });
const response = (type: string) => get({ responses: { 200: { ...ok, content: { [type]: { schema: object } } } } });

/** A part of a document with each feature, and what it is about. */
const examples: Readonly<Record<keyof typeof unjudgedFeatures, readonly [document: object, ...subjects: string[]]>> = {
  otherTypes: [response("application/xml"), "application/xml"],
  untypedItems: [response("text/event-stream"), "text/event-stream"],
  otherForms: [
    {
      paths: {
        "/a": {
          put: {
            requestBody: { content: { "multipart/form-data": { schema: { type: "array", items: {} } } } },
            responses: { 200: ok },
          },
        },
      },
    },
    "array",
  ],
  nestedValues: [
    get({ parameters: [{ name: "p", in: "query", schema: { type: "array", items: object } }] }),
    "the items of p are",
    "",
  ],
  wholeQuery: [get({ parameters: [{ name: "p", in: "querystring", content: { "a/json": { schema: {} } } }] })],
  otherMethods: [{ paths: { "/a": { additionalOperations: { PURGE: { responses: { 200: ok } } } } } }],
  callbacks: [get({ callbacks: { done: { "{$url}": { post: { responses: { 200: ok } } } } } }), "done"],
  webhooks: [{ paths: {}, webhooks: { done: { post: { responses: { 200: ok } } } } }],
  streamingRpcs: [{}, "ShopService/Watch"],
};

it.each(Object.entries(examples))("are named by lint: %s", async (name, [parts, ...subjects]) => {
  const folder = makeFolder({
    "openapi.json": { openapi: "3.2.0", info: { title: "A", version: "1" }, ...parts },
    "proto/shop/v1/shop.proto": shop,
  });
  const { versions, says }: UnjudgedFeature = unjudgedFeatures[name as keyof typeof unjudgedFeatures];
  const contract = versions.startsWith("proto")
    ? ({ kind: "rpc", name: "a", proto: join(folder, "proto") } as const)
    : ({ kind: "rest", name: "a", openapi: join(folder, "openapi.json"), conventions: {} } as const);
  const findings = await lintContract(contract, { tier: "minimal", runsCode: false });
  expect(findings.map(({ text }) => text).join("\n")).toContain(says(...subjects));
  expect(findings.find(({ text }) => text.includes(says(...subjects)))?.line).toBeGreaterThan(0);
});
