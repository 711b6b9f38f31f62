import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../support/museum.js";
import { compileGenerated } from "./compile-generated.js";

const json = (schema: object) => ({ "application/json": { schema } });
const ref = (pointer: string) => ({ $ref: `#${pointer}` });
const thing = ref("/components/schemas/Thing");
const pathSchema = "/paths/~1things/post/responses/200/content/application~1json/schema";

const document = {
  openapi: "3.2.0",
  info: { title: "Things", version: "1" },
  servers: [{ url: "/" }],
  paths: {
    "/things": {
      post: {
        operationId: "makeThing",
        requestBody: { required: true, content: json(thing) },
        responses: { 200: { description: "Made.", content: json(thing) } },
      },
    },
    "/search": {
      query: {
        operationId: "search",
        requestBody: { required: true, content: json({ type: "string" }) },
        responses: { 200: { description: "Found.", content: json({ type: "integer" }) } },
      },
      get: {
        operationId: "find",
        parameters: [
          {
            name: "all",
            in: "querystring",
            content: {
              "application/x-www-form-urlencoded": {
                schema: { type: "object", required: ["term"], properties: { term: { type: "string" } } },
              },
            },
          },
        ],
        responses: { 204: { description: "Nothing." } },
      },
    },
    "/deep/{undeclared}": {
      get: {
        operationId: "readDeep",
        parameters: [{ name: "size", in: "query", schema: ref("/components/schemas/Deep/definitions/size") }],
        responses: {
          200: {
            description: "Deep.",
            content: json({
              type: "object",
              required: ["same", "deep"],
              properties: { same: ref(pathSchema), deep: ref("/components/schemas/Deep") },
            }),
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Id: { type: "integer", readOnly: true },
      Base: {
        type: "object",
        required: ["id"],
        properties: { id: ref("/components/schemas/Id"), password: { type: "string", writeOnly: true } },
      },
      Thing: {
        allOf: [
          ref("/components/schemas/Base"),
          {
            type: "object",
            required: ["name", "password", "parts"],
            properties: { name: { type: "string" }, parts: { type: "array", items: thing }, next: thing },
          },
        ],
      },
      Deep: {
        type: "object",
        properties: {
          size: ref("/components/schemas/Deep/definitions/size"),
          list: ref("/components/schemas/Deep/definitions/list"),
        },
        definitions: {
          size: { enum: ["small", "large"] },
          list: {
            type: "object",
            properties: { next: { type: "array", items: ref("/components/schemas/Deep/definitions/list") } },
          },
        },
      },
    },
  },
};

const use = `
import type { Client } from "./generated/client.js";
import type { Handler } from "./generated/server.js";
import type { components } from "./generated/types.js";

export async function call(client: Client): Promise<void> {
  const made = await client.makeThing({ body: { name: "a", password: "x", parts: [{ name: "b", password: "y", parts: [] }] } });
  if (made.ok) made.data.parts[0]?.id satisfies number | undefined;
  // @ts-expect-error: a response has no password.
  if (made.ok) made.data.next?.password;
  // @ts-expect-error: a request has no id.
  await client.makeThing({ body: { id: 1, name: "a", password: "x", parts: [] } });
  // @ts-expect-error: nor has a part.
  await client.makeThing({ body: { name: "a", password: "x", parts: [{ id: 1, name: "b", password: "y", parts: [] }] } });
  // @ts-expect-error: a request needs a password.
  await client.makeThing({ body: { name: "a", parts: [] } });
  const deep = await client.readDeep({ undeclared: "a", size: "small" });
  if (deep.ok) [deep.data.same.id satisfies number, deep.data.deep.size satisfies "small" | "large" | undefined];
  const found = await client.search({ body: "a" });
  if (found.ok) found.data satisfies number;
  await client.find({ term: "a" });
  // @ts-expect-error: no such size.
  await client.readDeep({ undeclared: "a", size: "huge" });
}
export const make: Handler<"makeThing", object> = ({ parameters: { body } }) => ({ id: 1, name: body.name, parts: [] });
// @ts-expect-error: a response needs an id.
export const makeWithout: Handler<"makeThing", object> = ({ parameters: { body } }) => ({ name: body.name, parts: [] });
export const sent: components["schemas"]["ThingRequest"] = { name: "a", password: "x", parts: [] };
`;

it("types requests without readOnly members, responses without writeOnly ones, and references into any part of a document", {
  timeout: 60_000,
}, async () => {
  const folder = makeFolder({ "openapi.json": document });
  const contract = { kind: "rest", name: "things", openapi: join(folder, "openapi.json"), conventions: {} } as const;
  expect(await compileGenerated(contract, use)).toMatchObject({ call: expect.any(Function) });
});
