import { describe, expect, it } from "vitest";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { judgeProbe } from "../../../../src/verify/chat/probes/judge-probe.js";
import type { Expectation, RequestChange } from "../../../../src/verify/chat/probes/probe.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";

const operations = listProbedOperations(await loadContract(), []);
const operation = operations.find(({ operationId }) => operationId === "getMessages");
const inPath = operations.find(({ operationId }) => operationId === "getUserStatus");
const page = { result: "success", msg: "", found_newest: true, found_oldest: true, found_anchor: true, messages: [] };
const error = { result: "error", msg: "No", code: "BAD_REQUEST" };
const unauthorized = { ...error, code: "UNAUTHORIZED" };
const replace = (parameter: string): RequestChange => ({ kind: "replace", parameter, text: "x" });

function judge(expectation: Expectation, status: number, body: unknown, change = replace("anchor"), by = operation) {
  if (by === undefined) throw new Error("the contract has no such operation");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const contentType = typeof body === "string" ? "text/html" : "application/json";
  const response = { status, text, contentType, headers: new Headers() };
  return judgeProbe({ change, expectation }, response, { operation: by, validators: responseValidators });
}

const refused: Expectation = { kind: "refused", status: 401, code: "UNAUTHORIZED" };
const ignored: Expectation = { kind: "ignored", parameters: ["a", "b"], listing: [] };
const names = (...list: string[]) => ({ ...page, ignored_parameters_unsupported: list });

describe("judgeProbe", () => {
  it.each<[Expectation, number, unknown, readonly unknown[]]>([
    [refused, 401, unauthorized, []],
    [refused, 403, unauthorized, [expect.stringContaining("expected 401 UNAUTHORIZED, got 403")]],
    [refused, 200, page, [expect.stringContaining("expected 401 UNAUTHORIZED, got 200")]],
    [refused, 401, { ...error, code: "MINE" }, expect.arrayContaining(['/code: expected "UNAUTHORIZED", got "MINE"'])],
    [refused, 401, { result: "error", code: "UNAUTHORIZED" }, [expect.stringContaining("'msg'")]],
    [{ kind: "refused-some-way" }, 400, error, []],
    [{ kind: "refused-some-way" }, 422, { ...error, code: "MINE" }, []],
    [{ kind: "refused-some-way" }, 404, "<html>", expect.arrayContaining([expect.stringContaining("expected JSON")])],
    [{ kind: "refused-some-way" }, 200, page, [expect.stringContaining("expected an error in the envelope, got 200")]],
    [{ kind: "refused-some-way" }, 500, error, []],
    [{ kind: "refused-some-way" }, 500, "", [expect.stringContaining("expected an error in the envelope, got 500")]],
    [{ kind: "refused-or-not-found" }, 404, "<html>", []],
    [{ kind: "refused-or-not-found" }, 405, "<html>", []],
    [{ kind: "refused-or-not-found" }, 400, "<html>", expect.arrayContaining([expect.stringContaining("JSON")])],
    [{ kind: "refused-or-not-found" }, 200, page, [expect.stringContaining("got 200")]],
    [{ kind: "succeeds" }, 200, page, []],
    [{ kind: "succeeds" }, 400, error, [expect.stringContaining("expected success, got 400")]],
    [{ kind: "succeeds" }, 202, page, [expect.stringContaining("does not document 202")]],
    [ignored, 200, names("b", "a"), []],
    [ignored, 200, names("a", "b", "c"), []],
    [ignored, 200, names("a"), ['/ignored_parameters_unsupported: "b" is missing; got ["a"]']],
    [
      ignored,
      200,
      names("a", "b", "anchor"),
      ['/ignored_parameters_unsupported: "anchor" is listed, but the operation supports it'],
    ],
    [ignored, 200, page, ['/ignored_parameters_unsupported: expected ["a","b"], got nothing']],
    [ignored, 400, error, [expect.stringContaining("expected success")]],
    [{ kind: "any" }, 200, page, []],
    [{ kind: "any" }, 400, error, []],
    [{ kind: "any" }, 414, "<html>", []],
    [{ kind: "any" }, 404, "<html>", expect.arrayContaining([expect.stringContaining("JSON")])],
    [{ kind: "any" }, 500, error, []],
    [{ kind: "any" }, 500, page, [expect.stringContaining("the server failed")]],
    [{ kind: "any" }, 200, { ...page, messages: {} }, ["/messages: must be array"]],
    [{ kind: "unlisted" }, 405, "", []],
    [{ kind: "unlisted" }, 200, "whatever", []],
    [{ kind: "unlisted" }, 501, "", []],
    [{ kind: "unlisted" }, 500, "", [expect.stringContaining("the server failed, got 500")]],
  ])("judges %j with status %i", (expectation, status, body, want) => {
    expect(judge(expectation, status, body)).toEqual(want);
  });

  it("allows 404 for the value of a path parameter", () => {
    expect(judge({ kind: "any" }, 404, "<html>", replace("user_id"), inPath)).toEqual([]);
  });

  it("reports data of another organization", () => {
    if (operation === undefined) throw new Error("the contract has no getMessages");
    const by = { operation, validators: responseValidators, foreignTexts: ["theirs"], foreignIds: [7, 8] };
    const message = {
      ...{ avatar_url: null, client: "a", content_type: "text/html", display_recipient: "x" },
      ...{ is_me_message: false, reactions: [] },
    };
    const shown = (id: number, content: string) => {
      const text = JSON.stringify({ ...page, messages: [{ ...message, id, content }] });
      const response = { status: 200, text, contentType: "application/json", headers: new Headers() };
      return judgeProbe(
        { change: { kind: "foreign", parameter: "message_ids" }, expectation: { kind: "any" } },
        response,
        by,
      );
    };
    expect(shown(9, "ours")).toEqual([]);
    expect(shown(9, "it is theirs")).toEqual(["body: it shows data of another organization"]);
    expect(shown(8, "ours")).toEqual(["/messages: 8 is a message of another organization"]);
  });
});
