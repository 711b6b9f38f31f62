import { describe, expect, it } from "vitest";
import { loadContract } from "../../../../src/chat/contract.js";
import { listCases } from "../../../../src/contract/rest/cases.js";
import { type ContractDocument, resolve } from "../../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../../src/contract/rest/level/at-feature-level.js";
import { listOperations } from "../../../../src/contract/rest/operations.js";
import { listRules } from "../../../../src/contract/rest/rules.js";
import { smallDocument } from "../../../support/small-document.js";

const caseNames = (document: ContractDocument) => listCases(document).map(({ name }) => name);

describe("atFeatureLevel", () => {
  it.each([
    [39, ["editNote"]],
    [40, ["editNote", "getTags"]],
    [119, ["editNote", "getTags"]],
    [120, ["editNote"]],
  ])("has at level %i the operations %j", (level, want) => {
    const view = atFeatureLevel(smallDocument(), level);
    expect(listOperations(view).map(({ operation }) => operation.operationId)).toEqual(want);
    expect(Object.keys(view.paths)).toHaveLength(want.length);
  });

  it.each([
    [29, ["title"], ["title"]],
    [30, ["title", "owner"], ["title"]],
    [50, ["title", "tags", "owner"], ["title"]],
    [79, ["title", "tags", "owner"], ["title"]],
    [80, ["title", "tags", "owner"], ["title", "owner"]],
  ])("has at level %i the form fields %j and requires %j", (level, properties, required) => {
    const form = atFeatureLevel(smallDocument(), level).components.schemas.EditNote;
    expect(Object.keys(form?.properties ?? {})).toEqual(properties);
    expect(form?.required).toEqual(required);
  });

  it("reverts a later deprecation", () => {
    const deprecated = (level: number) => atFeatureLevel(smallDocument(), level).paths["/tags"]?.get?.deprecated;
    expect([deprecated(89), deprecated(90)]).toEqual([undefined, true]);
  });

  it("includes an error code only from its level on", () => {
    const codes = (level: number) => {
      const { components, paths } = atFeatureLevel(smallDocument(), level);
      const response = paths["/notes/{note_id}"]?.patch?.responses["400"] ?? { description: "" };
      const media = resolve<{ content?: Record<string, { schema: { anyOf?: unknown[] } }> }>({}, response).content?.[
        "application/json"
      ];
      return [
        Object.keys(components.schemas).includes("EmptyError"),
        components.schemas.DocumentedErrorCode?.enum,
        media?.schema.anyOf?.length,
      ];
    };
    expect(codes(59)).toEqual([false, ["UNAUTHORIZED"], 1]);
    expect(codes(60)).toEqual([true, ["EMPTY", "UNAUTHORIZED"], 2]);
  });

  it.each([
    [49, ["rename", "unknown", "no_credentials"]],
    [50, ["rename", "tagged", "unknown", "no_credentials"]],
    [60, ["rename", "tagged", "unknown", "refused", "no_credentials"]],
    [100, ["rename", "tagged", "unknown", "refused"]],
  ])("keeps at level %i the cases %j, including one with an unknown parameter", (level, want) => {
    const view = atFeatureLevel(smallDocument(), level);
    expect(caseNames(view)).toEqual(want);
    const requests = listOperations(view).flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}),
    );
    expect(requests.flatMap(({ examples = {} }) => Object.keys(examples))).toEqual(
      want.filter((name) => name !== "no_credentials"),
    );
  });

  it("does not modify its input", () => {
    const document = smallDocument();
    atFeatureLevel(document, 1);
    expect(document).toEqual(smallDocument());
  });

  it("removes the fields that a level lacks from the examples of responses", () => {
    const body = (level: number) =>
      listCases(atFeatureLevel(smallDocument(), level)).find(({ name }) => name === "unknown")?.response.body;
    expect(body(166)).toEqual({ result: "success", msg: "" });
    expect(body(167)).toEqual({ result: "success", msg: "", ignored_parameters_unsupported: ["colour"] });
  });

  it("keeps the whole contract at the newest level, except for removed parts", async () => {
    const contract = await loadContract();
    const newest = atFeatureLevel(contract, 1_000_000);
    const over = listRules(contract).filter(({ until }) => until !== undefined);
    expect(listRules(newest)).toEqual(listRules(contract).filter((rule) => !over.includes(rule)));
    expect(listOperations(newest)).toHaveLength(listOperations(contract).length);
  });
});
