import { beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { findDredd, runDreddProcess } from "../../../../src/verify/chat/dredd/dredd-process.js";
import { caseKey, type DreddResult } from "../../../../src/verify/chat/dredd/hooks-protocol.js";
import { caseRequest } from "../../../../src/verify/chat/exchange/case-request.js";
import { withTemporaryFolder } from "../../../../src/verify/chat/tool/temporary-folder.js";
import { type Answer, startExampleServer } from "../example-server.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const all = casesAtLevel(await loadContract(), newestLevel);
const refused = { result: "error", msg: "No", code: "UNAUTHORIZED" };
const unauthorized = (body: object): Answer => ({ status: 401, body });
const status = { result: "success", msg: "" };
const success = (body: object): Answer => ({ status: 200, body });

/** A case, the response to it, and the problem that Dredd reports by itself; undefined if it accepts the response. */
const answers: readonly (readonly [what: string, key: string, answer: Answer, dredd: RegExp | undefined])[] = [
  ["the right answer", "deleteAttachment/no_credentials", unauthorized(refused), undefined],
  ["a further field", "deleteAttachment/wrong_credentials", unauthorized({ ...refused, more: {} }), undefined],
  [
    "a charset",
    "addDefaultChannel/no_credentials",
    { ...unauthorized(refused), type: "application/json; charset=utf-8" },
    undefined,
  ],
  ["a wrong type", "addDefaultChannel/wrong_credentials", unauthorized({ ...refused, msg: 1 }), /body: .*\/msg/],
  [
    "a missing key",
    "removeDefaultChannel/no_credentials",
    unauthorized({ result: "error", code: "UNAUTHORIZED" }),
    /body: .*msg/,
  ],
  [
    "a wrong constant",
    "removeDefaultChannel/wrong_credentials",
    unauthorized({ ...refused, result: "success" }),
    /body: .*result/,
  ],
  [
    "the code of another error",
    "getMessages/no_credentials",
    unauthorized({ ...refused, code: "BAD_REQUEST" }),
    /body: /,
  ],
  ["an undocumented code", "getMessages/wrong_credentials", unauthorized({ ...refused, code: "MY_CODE" }), /body: /],
  ["no envelope", "editMessage/no_credentials", unauthorized({ error: "No" }), /body: .*result/],
  [
    "a wrong status",
    "editMessage/wrong_credentials",
    { status: 403, body: refused },
    /"deviation":"status: recommended is 401, got 403"/,
  ],
  [
    "a wrong content type",
    "setEditTypingStatus/no_credentials",
    { ...unauthorized(refused), type: "text/plain" },
    /headers: .*content-type/i,
  ],
  ["a body that is not JSON", "setEditTypingStatus/wrong_credentials", { status: 401, body: "{oops" }, /body: .*JSON/],
  ["no body", "registerPushDevice/no_credentials", { status: 401, body: "" }, /body: /],
  ["an array", "registerPushDevice/wrong_credentials", unauthorized([]), /body: /],
  ["success", "muteUser/no_credentials", success(status), /statusCode: /],
  ["an open object", "getUserStatus/no_status", success({ ...status, status: {} }), undefined],
  [
    "a wrong enum",
    "getUserStatus/away",
    success({ ...status, status: { reaction_type: "moon" } }),
    /body: .*reaction_type/,
  ],
  [
    "a wrong type inside",
    "getUserStatus/text_only",
    success({ ...status, status: { status_text: null } }),
    /body: .*status_text/,
  ],
  ["a missing key of a success", "getUserStatus/own_status", success(status), /body: .*status/],
  [
    "any status of an open case",
    "editMessage/content_too_long",
    { status: 503, body: { ...refused, code: "MY_CODE" } },
    undefined,
  ],
  ["a success of an open case", "editMessage/prev_content_differs", success(status), /statusCode: /],
  [
    "a failure for an open case",
    "editMessage/direct_message_topic",
    { status: 500, body: { ...refused, code: undefined } },
    /statusCode: /,
  ],
];

describe("Dredd with the hooks, by itself", () => {
  const results = new Map<string, DreddResult>();

  beforeAll(async () => {
    const byRequest = new Map<string, Answer>();
    const nameOf = (method: string | undefined, path: string | undefined, isStranger: boolean) =>
      [method, path, isStranger].join(" ");
    const server = await startExampleServer(
      ({ method, url, authorization }) =>
        byRequest.get(nameOf(method, url, authorization !== undefined)) ?? { status: 404, body: "{}" },
    );
    try {
      for (const [, key, answer] of answers) {
        const { method, url } = await caseRequest(findCase(key), server.url, undefined);
        byRequest.set(nameOf(method, url.slice(server.url.length), findCase(key).as === "stranger"), answer);
      }
      expect(byRequest.size).toBe(answers.length);
      await withTemporaryFolder((folder) =>
        runDreddProcess(
          { cases: answers.map(([, key]) => findCase(key)), name: "verdict", jobs: 1 },
          {
            script: findDredd(),
            folder,
            contract,
            apiUrl: server.url,
            timeoutMs: 300_000,
            signal: new AbortController().signal,
            onResult: (one, result) => results.set(caseKey(one), result),
          },
        ),
      );
    } finally {
      await server.close();
    }
  });

  it.each(answers)("judges %s", (_, key, __, want) => {
    const result = results.get(key);
    const reported =
      result?.kind === "failed" ? result.dredd.join("\n") : result?.kind === "passed" ? "" : JSON.stringify(result);
    expect(reported).toMatch(want ?? /^$/);
  });
});

/** Finds a case and removes its states, which make no difference to a server with canned responses. */
function findCase(key: string): Case {
  const found = all.find((one) => caseKey(one) === key);
  if (found === undefined) throw new Error(`unknown case ${key}`);
  return found.given.length === 0 ? found : { ...found, as: "nobody", given: [], bind: {} };
}
