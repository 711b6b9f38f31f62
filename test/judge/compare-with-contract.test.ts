import { describe, expect, it } from "vitest";
import { responseValidators, type Validator } from "../../generated/chat/validators.js";
import { loadContract } from "../../src/chat/contract.js";
import { compareWithContract } from "../../src/judge/compare-with-contract.js";

const contract = await loadContract();
const json = "application/json";
const success = { result: "success", msg: "" };
const error = { result: "error", msg: "No", code: "BAD_REQUEST" };
const lastUser = { ...error, code: "CANNOT_DEACTIVATE_LAST_USER", entity: "user", is_last_owner: false };

function problems(
  operationId: string,
  status: number,
  body: unknown,
  { type = json, headers = {} }: { type?: string; headers?: Record<string, string> } = {},
): string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = { status, contentType: type, text, headers: new Headers({ ...headers, "Content-Type": type }) };
  return compareWithContract(contract, operationId, response, responseValidators).map(({ text }) => text);
}

describe("compareWithContract", () => {
  it.each<[string, string, number, unknown, string?]>([
    ["a success", "muteUser", 200, success],
    ["further fields", "muteUser", 200, { ...success, more: 1, ignored_parameters_unsupported: ["a"] }],
    ["a charset", "muteUser", 200, success, "Application/JSON; charset=utf-8"],
    ["a documented error", "muteUser", 400, error],
    ["an error with an undocumented code", "muteUser", 400, { ...error, code: "MINE" }],
    ["an undocumented error status", "muteUser", 418, { ...error, code: "MINE" }],
    ["a documented code at another status", "muteUser", 404, error],
    ["a code of another operation", "muteUser", 400, { ...error, code: "PUSH_SERVICE_NOT_CONFIGURED" }],
    ["an error with the fields of its code", "deactivateOwnUser", 400, lastUser],
    ["an error with the fields of its code at another status", "deactivateOwnUser", 409, lastUser],
    [
      "a documented code with a status from 500",
      "registerPushDevice",
      503,
      { ...error, code: "PUSH_SERVICE_NOT_CONFIGURED" },
    ],
    ["an undocumented code with a status from 500", "muteUser", 500, { ...error, code: "MINE" }],
    ["another code than UNAUTHORIZED with status 401", "muteUser", 401, error],
    ["a refused login", "muteUser", 401, { ...error, code: "UNAUTHORIZED" }],
  ])("allows %s", (_, operationId, status, body, type) => {
    expect(problems(operationId, status, body, type === undefined ? {} : { type })).toEqual([]);
  });

  it("allows an empty body if no body is documented", () => {
    const headers = { "Tus-Resumable": "1.0.0", Location: "/api/v1/tus/1" };
    expect(problems("createResumableUpload", 201, "", { headers })).toEqual([]);
  });

  it.each<[string, string, number, unknown, readonly string[], string?]>([
    [
      "a failing server",
      "muteUser",
      500,
      success,
      [expect.stringMatching(/^status: the server failed with 500 with /)],
    ],
    [
      "a failure without a code",
      "muteUser",
      500,
      { ...error, code: undefined },
      [expect.stringContaining("server failed")],
    ],
    ["an unavailable server", "muteUser", 503, "down", [expect.stringContaining("503")]],
    ["an undocumented success", "muteUser", 202, success, [expect.stringContaining("muteUser does not document 202")]],
    ["a redirect", "muteUser", 302, "", [expect.stringContaining("does not document 302")]],
    ["an interim status", "muteUser", 199, "", [expect.stringContaining("does not document 199")]],
    ["an unknown operation", "nothing", 200, success, [expect.stringContaining("nothing does not document")]],
    [
      "HTML",
      "muteUser",
      404,
      "<html>",
      [`content type: expected ${json}, got "text/html"`, 'body: expected JSON, got "<html>"'],
      "text/html",
    ],
    ["JSON as text", "muteUser", 200, success, [`content type: expected ${json}, got "text/plain"`], "text/plain"],
    ["a message on success", "muteUser", 200, { ...success, msg: "Done" }, ['/msg: must be equal to constant ""']],
    [
      "a missing field",
      "uploadFile",
      200,
      success,
      expect.arrayContaining(["body: must have required property 'url'"]),
    ],
    [
      "an error without the envelope",
      "muteUser",
      400,
      { error: "no" },
      expect.arrayContaining(["body: must have required property 'code'"]),
    ],
    ["an array", "muteUser", 400, [], ["body: must be object"]],
    ["null", "muteUser", 404, null, ["body: must be object"]],
    [
      "an error without a message",
      "muteUser",
      401,
      { result: "error", code: "UNAUTHORIZED" },
      [`body: must have required property 'msg' in an error with code "UNAUTHORIZED"`],
    ],
    ["a code that is not text", "muteUser", 400, { ...error, code: 7 }, ["/code: 7 does not fit its schema"]],
    [
      "an error that says success",
      "muteUser",
      400,
      { ...error, result: "success" },
      ['/result: "success" does not fit its schema in an error with code "BAD_REQUEST"'],
    ],
    [
      "an error without the fields of its code",
      "deactivateOwnUser",
      400,
      { ...lastUser, entity: undefined },
      [`body: must have required property 'entity' in an error with code "CANNOT_DEACTIVATE_LAST_USER"`],
    ],
    [
      "an error with a wrong field of its code",
      "deactivateOwnUser",
      403,
      { ...lastUser, is_last_owner: "no" },
      ['/is_last_owner: "no" does not fit its schema in an error with code "CANNOT_DEACTIVATE_LAST_USER"'],
    ],
  ])("reports %s", (_, operationId, status, body, want, type) => {
    expect(problems(operationId, status, body, type === undefined ? {} : { type })).toEqual(want);
  });

  it("gives the same verdict on errors as the validators, whatever the operation and the status", () => {
    const fields: Readonly<Record<string, object>> = {
      ...{
        BAD_REQUEST: {},
        UNAUTHORIZED: {},
        PUSH_SERVICE_NOT_CONFIGURED: {},
        STREAM_WILDCARD_MENTION_NOT_ALLOWED: {},
      },
      ...{ UNAUTHORIZED_PRINCIPAL: {}, A_CODE_OF_YOUR_SERVER: {}, STREAM_DOES_NOT_EXIST: { stream: "moon" } },
      CANNOT_DEACTIVATE_LAST_USER: { entity: "user", is_last_owner: false },
      CANNOT_DEACTIVATE_GROUP_IN_USE: { objections: [{ type: "realm", settings: [] }] },
      MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
        ...{ first_message_id_allowed_to_move: null, total_messages_in_topic: 2, total_messages_allowed_to_move: 1 },
      },
    };
    const documented = contract.components.schemas.DocumentedErrorCode?.enum ?? [];
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(documented));
    const bodies = Object.entries(fields).flatMap(([code, own]) => [
      { body: { ...error, code, ...own }, isValid: true },
      { body: { ...error, code }, isValid: Object.keys(own).length === 0 },
    ]);
    for (const [operationId, byStatus] of Object.entries<Readonly<Record<string, Validator>>>(responseValidators)) {
      for (const status of [400, 401, 403, 404, 409, 500, 503]) {
        const validate = byStatus[status] ?? byStatus.default;
        // Its other responses have a header of the protocol.
        if (validate === undefined || operationId === "createResumableUpload") continue;
        for (const { body, isValid } of bodies) {
          const at = `${operationId} ${status} ${JSON.stringify(body)}`;
          expect(validate(body), at).toBe(isValid);
          expect(problems(operationId, status, body).length === 0, at).toBe(isValid);
        }
      }
    }
  });

  it("allows any success of an operation that begins another protocol", () => {
    expect(problems("createResumableUpload", 200, "")).toEqual([]);
    expect(problems("createResumableUpload", 302, "")).toEqual([expect.stringContaining("does not document 302")]);
  });

  it("allows a response without its optional headers", () => {
    expect(problems("createResumableUpload", 201, "")).toEqual([]);
  });

  it("reports missing headers", () => {
    const document = structuredClone(contract);
    const created = document.paths["/tus"]?.post?.responses["201"];
    if (created === undefined || !("headers" in created)) throw new Error("the contract documents no headers of 201");
    for (const header of Object.values(created.headers ?? {})) Object.assign(header as object, { required: true });
    const response = { status: 201, contentType: "", text: "", headers: new Headers() };
    expect(
      compareWithContract(document, "createResumableUpload", response, responseValidators).map(({ text }) => text),
    ).toEqual(["headers: Tus-Resumable is missing", "headers: Location is missing"]);
  });
});
