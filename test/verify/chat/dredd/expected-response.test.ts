import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { expectedResponse } from "../../../../src/verify/chat/dredd/expected-response.js";
import { sampleOf } from "../../../support/thorough.js";
import { exampleCase } from "../example-case.js";

const contract = await loadContract();

// One instance, because each compiles the schema of schemas.
const ajv = new Ajv({ strict: false, validateFormats: false });

function fits(document: typeof contract, one: Case, body: unknown): boolean {
  const { bodySchema = false } = expectedResponse(document, one);
  return ajv.validate(bodySchema, body);
}

describe("expectedResponse", () => {
  it.each([newestLevel, 200, 1])("fits the response of each case of level %i", (level) => {
    const view = atFeatureLevel(contract, level);
    const cases = casesAtLevel(contract, level);
    expect(cases.length).toBeGreaterThan(200);
    expect(
      sampleOf(cases, 3)
        .filter((one) => !fits(view, one, one.response.body))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it("narrows an error to the fields of its code", () => {
    const one = find("unsubscribe", "unknown_channel");
    const body = one.response.body as object;
    expect(body).toMatchObject({ code: "STREAM_DOES_NOT_EXIST", stream: expect.any(String) });
    expect(fits(contract, one, { ...body, code: "BAD_REQUEST" })).toBe(false);
    expect(fits(contract, one, { ...body, code: "MY_CODE" })).toBe(false);
    expect(fits(contract, one, { ...body, stream: undefined })).toBe(false);
    expect(fits(contract, one, { ...body, further: 1 })).toBe(true);
  });

  it("allows any error in the envelope for an open case", () => {
    const one = find("editMessage", "content_too_long");
    expect(one.open).toBeDefined();
    expect(fits(contract, one, { result: "error", msg: "", code: "MY_CODE" })).toBe(true);
    expect(fits(contract, one, { result: "error", msg: "", code: "UNAUTHORIZED" })).toBe(true);
    expect(fits(contract, one, { result: "error", msg: "" })).toBe(false);
    expect(fits(contract, one, { result: "success", msg: "", code: "MY_CODE" })).toBe(false);
  });

  it("lists the headers that the contract requires", () => {
    const created = exampleCase({ operationId: "createResumableUpload", response: { status: 201 } });
    expect(expectedResponse(contract, created)).toEqual({ headers: [] });
    const document = structuredClone(contract);
    const response = document.paths["/tus"]?.post?.responses["201"];
    if (response === undefined || !("headers" in response)) throw new Error("the contract documents no headers of 201");
    for (const header of Object.values(response.headers ?? {})) Object.assign(header as object, { required: true });
    expect(expectedResponse(document, created)).toEqual({ headers: ["Tus-Resumable", "Location"] });
    expect(expectedResponse(contract, find("uploadFile", "text_file")).headers).toEqual([]);
  });
});

function find(operationId: string, name: string): Case {
  const found = casesAtLevel(contract, newestLevel).find((one) => one.operationId === operationId && one.name === name);
  if (found === undefined) throw new Error(`unknown case ${operationId}/${name}`);
  return found;
}
