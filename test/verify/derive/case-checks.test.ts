import { describe, expect, it } from "vitest";
import { loadStatesCatalogue } from "../../../src/chat/contract.js";
import type { CallStep, Step } from "../../../src/contract/check.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import type { ReadBack } from "../../../src/contract/rest/read-back.js";
import { caseCheck } from "../../../src/verify/derive/case-checks.js";
import { exampleCase } from "../rest/example-case.js";

const catalogue = await loadStatesCatalogue();
const readBack: ReadBack = {
  ...{ rule: "unchanged", call: "getMessages", with: { anchor: "newest" }, as: "administrator" },
  ...{ after: ["message"], compare: "/messages", except: [] },
};
const checkOf = (change: Partial<Case>, read?: ReadBack) =>
  caseCheck(exampleCase(change), {
    ...{ catalogue, plain: "member", errorCode: "/code", readBack: read },
    needsLogin: (id) => id !== "getServerSettings",
  });
const request = (body: Readonly<Record<string, unknown>>) => ({ path: {}, query: {}, header: {}, body });
const refusal = (body: object) => ({ status: 400, body: { result: "error", code: "BAD_REQUEST", ...body } });
const given = { state: "channel", params: {}, rename: {} };
const isCall = (step: Step): step is CallStep => step.kind === "call" && step.readBack === undefined;

describe("the check of a case", () => {
  it("sets up its states, then makes its call", () => {
    expect(checkOf({})).toEqual({
      id: "case unsubscribe/other_user",
      kind: "case",
      operation: "unsubscribe",
      summary: "The user was removed",
      rules: ["subscriptions.remove.administrator"],
      steps: [
        expect.objectContaining({
          kind: "state",
          id: "given-1",
          state: "channel",
          params: { name: "social", subscribers: ["other"] },
        }),
        {
          kind: "call",
          id: "call",
          as: "administrator",
          call: "unsubscribe",
          with: { subscriptions: ["social"], principals: ["$credentials.other.user_id"] },
          expect: [{ status: 200, body: { "/removed": { equals: ["social"] }, "/not_removed": { equals: [] } } }],
          rules: ["subscriptions.remove.administrator"],
        },
      ],
    });
  });

  it.each<[what: string, change: Partial<Case>, values: object, expectation?: object]>([
    [
      "values of its states instead of its examples, also where the response repeats them",
      {
        ...{
          given: [given],
          bind: {},
          request: request({ stream_id: 2, topic: "a" }),
          exact: ["/stream_id", "/topic"],
        },
        response: refusal({ stream_id: 2, topic: "a" }),
      },
      { stream_id: "$given-1.stream_id", topic: "a" },
      { status: 400, body: { "/code": "BAD_REQUEST", "/stream_id": "$given-1.stream_id", "/topic": "a" } },
    ],
    [
      "renamed values, of the last state that has them",
      {
        given: [{ ...given, rename: { stream_id: "old" } }, given, given],
        ...{ bind: { first: "old" }, request: request({ stream_id: 2 }) },
      },
      { stream_id: "$given-3.stream_id", first: "$given-1.old" },
    ],
    [
      "bound values, at any depth",
      { bind: { principals: [{ id: "credentials.other.user_id" }] }, request: request({}) },
      { principals: [{ id: "$credentials.other.user_id" }] },
    ],
    ["texts that look like expressions", { bind: {}, request: request({ a: "$x.y" }) }, { a: "$$$x.y" }],
    ["an absent value", { bind: {}, exact: ["/away"] }, {}, { status: 200, body: { "/away": { present: false } } }],
    ["any refusal if it is open", { open: "?", response: refusal({}), exact: ["/code"] }, {}, { status: "4XX" }],
    [
      "a status that is only recommended",
      { recommendedBy: "errors.status", response: refusal({}), exact: [] },
      {},
      { status: 400, recommendedBy: "errors.status", body: { "/code": "BAD_REQUEST" } },
    ],
  ])("sends or expects %s", (_, change, values, expectation) => {
    const call = checkOf(change).steps.find(isCall);
    expect(call?.with).toMatchObject(values);
    if (expectation !== undefined) expect(call?.expect).toEqual([expectation]);
  });

  it("sets up callers for a caller with an account, and nothing for others", () => {
    const statesOf = (as: string) => checkOf({ as, given: [], bind: {} }).steps.filter(({ kind }) => kind === "state");
    expect(statesOf("member")).toMatchObject([{ state: "organization" }]);
    expect([statesOf("nobody"), statesOf("stranger")]).toEqual([[], []]);
  });

  it("sends no credentials to an operation without login", () => {
    expect(checkOf({ operationId: "getServerSettings" }).steps.find(isCall)?.as).toBe("nobody");
  });

  it("shows no rule if it expects only empty values", () => {
    const response = { status: 200, body: { removed: [] } };
    expect(checkOf({ exact: ["/removed"], response }).rules).toEqual([]);
  });

  it("reads before and after a request that it expects to be refused, where there is something to read", () => {
    const message = { ...given, state: "message" };
    const refused = checkOf({ as: "member", given: [message], bind: {}, response: refusal({}) }, readBack);
    expect(refused.steps.map(({ id }) => id)).toEqual([
      ...["given-1", "before-member", "before-administrator", "call", "after-member", "after-administrator"],
    ]);
    expect(refused.rules).toContain("unchanged");
    expect(checkOf({ given: [message] }, readBack).steps).toHaveLength(2);
    expect(checkOf({ response: refusal({}) }, readBack).steps).toHaveLength(2);
  });
});
