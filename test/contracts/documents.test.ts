import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { loadOpenApi } from "../../src/contract/rest/load-openapi.js";
import { startMuseum } from "./museum/server.js";
import { parcelKey, startParcels } from "./parcels/server.js";

/** Returns what a response of an operation has wrong: its status, its media type or its body. */
async function compareWith(document: object, [path, method]: [string, string], response: Response): Promise<string[]> {
  const { status, headers } = response;
  const type = headers.get("content-type")?.split(";")[0];
  const text = await response.text();
  const pointer = (keys: readonly string[]) =>
    keys.map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  const at = (value: object, keys: readonly string[]): object | undefined =>
    keys.reduce<object | undefined>((found, key) => (found as Record<string, object> | undefined)?.[key], value);
  const keys = ["paths", path, method, "responses", String(status)];
  const found = at(document, keys);
  if (found === undefined) return [`status ${status} is undocumented`];
  const ref = (found as { $ref?: string }).$ref?.slice(2).split("/") ?? keys;
  if (type === undefined) return at(document, [...ref, "content"]) === undefined ? [] : ["there is no body"];
  const media = [...ref, "content", type];
  if (at(document, media) === undefined) return [`${type} is undocumented`];
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");
  if (at(document, [...media, "schema"]) === undefined) return [];
  const validate = ajv.compile({ $ref: `document#/${pointer([...media, "schema"])}` });
  return validate(type.endsWith("json") ? JSON.parse(text) : text) ? [] : [JSON.stringify(validate.errors)];
}

const documentOf = (name: string) => loadOpenApi(fileURLToPath(new URL(`${name}/openapi.yaml`, import.meta.url)));
const documents = { museum: await documentOf("museum"), parcels: await documentOf("parcels") };

describe("the server of the museum", () => {
  const json = (method: string, body: object, type = "application/json") => ({
    ...{ method, body: JSON.stringify(body) },
    headers: { "Content-Type": type, "Idempotency-Key": "visit-of-the-1st" },
  });
  const watch = { title: "Pocket watch", room: "north", materials: ["gold"] };

  it.each<[string, string, number, RequestInit?]>([
    ["/exhibits", "/exhibits?room=west&room=north&ids=17,18&material=paper%7Cbrass&made[from]=1600", 200],
    ["/exhibits", "/exhibits?limit=0", 400],
    ["/exhibits", "/exhibits", 201, json("POST", watch)],
    ["/exhibits", "/exhibits", 422, json("POST", { ...watch, room: "attic" })],
    ["/exhibits/{exhibit_id}", "/exhibits/17", 200],
    ["/exhibits/{exhibit_id}", "/exhibits/99", 404],
    ["/exhibits/{exhibit_id}", "/exhibits/17", 200, json("PUT", watch)],
    ["/exhibits/{exhibit_id}", "/exhibits/17", 200, json("PATCH", { rating: null }, "application/merge-patch+json")],
    ["/exhibits/{exhibit_id}", "/exhibits/17", 204, { method: "DELETE" }],
    ["/exhibits/{exhibit_id}/image", "/exhibits/18/image", 200],
    ["/opening-hours", "/opening-hours", 200],
    ["/tickets", "/tickets", 201, json("POST", { date: "2031-03-01", persons: 2 })],
  ])("answers %s, as in %s, with status %i and as documented", async (path, target, status, init = {}) => {
    const museum = await startMuseum();
    try {
      const setup = await fetch(museum.statesUrl, json("POST", { state: "museum", params: {}, action: "setup" }));
      const { credentials } = (await setup.json()) as { credentials: { curator: { access_token: string } } };
      const Authorization = `Bearer ${credentials.curator.access_token}`;
      const response = await fetch(museum.url + target, { ...init, headers: { ...init.headers, Authorization } });
      expect(response.status).toBe(status);
      const method = (init.method ?? "GET").toLowerCase();
      expect(await compareWith(documents.museum, [path, method], response)).toEqual([]);
    } finally {
      await museum.close();
    }
  });
});

describe("the server of the parcels", () => {
  const form = (...fields: [string, string][]) => ({ method: "POST", body: new URLSearchParams(fields) });

  it.each<[string, string, number, RequestInit?]>([
    ["/parcels", "/parcels?status=registered&status=delivered&heavier_than=0.5", 200],
    ["/parcels", "/parcels?limit=0", 400],
    [
      "/parcels",
      "/parcels",
      200,
      form(["name", "J. Moreau"], ["weight", "2"], ["services", "express"], ["services", "signed"]),
    ],
    ["/parcels/{number}", "/parcels/PX10029", 200],
    ["/parcels/{number}", "/parcels/PX99999", 404],
    ["/parcels/{number}", "/parcels/PX10029", 200, { method: "DELETE" }],
    ["/parcels/{number}/status", "/parcels/PX10024/status", 200],
    ["/parcels/{number}/recipient", "/parcels/PX10023/recipient", 200, form(["name", "M. Keller"])],
    ["/labels/{number}", `/labels/PX10023?key=${parcelKey}`, 200],
    ["/labels/{number}", "/labels/PX10023", 401],
    ["/rates", "/rates?weight=2.4&services=insured,express", 200],
    ["/depots", "/depots", 200],
  ])("answers %s, as in %s, with status %i and as documented", async (path, target, status, init = {}) => {
    const parcels = await startParcels();
    try {
      const response = await fetch(parcels.url + target, { ...init, headers: { "X-Parcel-Key": parcelKey } });
      expect(response.status).toBe(status);
      const method = (init.method ?? "GET").toLowerCase();
      expect(await compareWith(documents.parcels, [path, method], response)).toEqual([]);
    } finally {
      await parcels.close();
    }
  });
});
