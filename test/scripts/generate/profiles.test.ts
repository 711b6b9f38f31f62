import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadContract } from "../../../src/chat/contract.js";
import type { ContractDocument, ResponseObject } from "../../../src/contract/rest/document.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import { generatorsProfile } from "../../../src/contract/rest/profiles/generators-profile.js";
import { prismProfile } from "../../../src/contract/rest/profiles/prism-profile.js";
import { typesProfile } from "../../../src/contract/rest/profiles/types-profile.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const contract = await loadContract();

describe("the Prism profile", () => {
  const profile = prismProfile(contract);
  const text = JSON.stringify(profile);

  it("begins every path with /api/v1, and has nothing that Prism cannot read", () => {
    expect(Object.keys(profile.paths).every((path) => path.startsWith("/api/v1/"))).toBe(true);
    expect(listOperations(profile)).toHaveLength(listOperations(contract).length);
    expect(text).not.toContain('"encoding"');
    expect(text).not.toMatch(/"in":"query"[^}]*"content"/);
    expect(text).not.toContain('"x-');
  });

  it("accepts a JSON field as text", () => {
    const form =
      profile.paths["/api/v1/users/me/subscriptions"]?.delete?.requestBody?.content[
        "application/x-www-form-urlencoded"
      ];
    expect(form?.schema.properties?.subscriptions?.anyOf?.map(({ type }) => type)).toEqual(["array", "string"]);
  });

  it("does not modify the contract", async () => {
    expect(contract).toEqual(await loadContract());
  });
});

describe("the profile for types", () => {
  it("gives JSON query parameters the schema of their content", () => {
    const { parameters = [] } = typesProfile(contract).paths["/messages"]?.get ?? {};
    const narrow = parameters.find((parameter) => "name" in parameter && parameter.name === "narrow");
    expect(narrow).toMatchObject({ schema: { type: "array" } });
  });
});

describe("the profile for generators", () => {
  const profile = generatorsProfile(contract) as ContractDocument;
  const operation = profile.paths["/users/me/subscriptions"]?.delete;

  it("uses only keywords of OpenAPI 3.0", () => {
    const text = JSON.stringify(profile);
    expect(profile.openapi).toBe("3.0.3");
    expect(text).not.toMatch(/"(const|examples|contentEncoding|encoding|x-[a-z-]+)":|"type":(\[|"null")/);
  });

  it("makes JSON in forms and queries text, with an example", () => {
    const { properties } = profile.components.schemas.UnsubscribeRequest ?? {};
    expect(properties?.principals).toMatchObject({ type: "string", example: "[17,23]" });
    const parameters = profile.paths["/messages"]?.get?.parameters ?? [];
    expect(parameters.find((one) => "name" in one && one.name === "message_ids")).toMatchObject({
      schema: { type: "string" },
    });
  });

  it("lists only errors that have exactly one code", () => {
    expect(Object.keys(operation?.responses ?? {})).toEqual(["200", "400", "401", "403"]);
    const refused = operation?.responses["400"] as ResponseObject | undefined;
    const names = refused?.content?.["application/json"]?.schema.anyOf?.map(({ $ref }) => $ref?.split("/").at(-1));
    expect(names).toEqual(["BadRequestError", "StreamDoesNotExistError"]);
  });

  it("has no map with named properties, and a type for a file", () => {
    const { AuthenticationMethods, UploadFileRequest } = profile.components.schemas;
    expect(AuthenticationMethods).not.toHaveProperty("additionalProperties");
    expect(UploadFileRequest?.properties?.file).toMatchObject({ type: "string", format: "binary" });
  });

  it("omits resumable uploads and unused components", () => {
    expect(profile.paths["/tus"]).toBeUndefined();
    expect(profile.components.schemas).not.toHaveProperty("NarrowFilter");
  });

  it("does not modify the contract", async () => {
    expect(contract).toEqual(await loadContract());
  });
});

describe("the bundle", () => {
  it("has no external references, and contains every example", () => {
    const text = readFileSync(`${root}/generated/chat/openapi.yaml`, "utf8");
    const document: ContractDocument = parse(text);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference ?? "",
    );
    expect(
      references.filter((reference) => !/^#\/components\/(schemas|responses|parameters)\//.test(reference)),
    ).toEqual([]);
  });
});
