import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../generated/chat/operations.js";
import type { Listening } from "../../../src/base/listen.js";
import { caseValues } from "../../../src/chat/cases/case-request.js";
import { loadContract } from "../../../src/chat/contract.js";
import { type CallResult, createChatClient } from "../../../src/chat/index.js";
import { createChatMock } from "../../../src/chat/mock.js";
import { type Case, listCases } from "../../../src/contract/rest/cases.js";
import { encode } from "../../../src/request/encode.js";
import type { Operation } from "../../../src/request/operation.js";
import { needing } from "../../support/needing.js";
import { sampleOf } from "../../support/thorough.js";

const run = promisify(execFile);
const cases = listCases(await loadContract());
const table: Readonly<Record<string, Operation>> = operations;

let mock: Listening;
beforeAll(async () => {
  mock = await createChatMock();
});
afterAll(() => mock.close());

/** Cases whose requests are equal except for the caller can only be selected by name. */
function preferring({ name, response }: Case): Record<string, string> {
  return { Prefer: `code=${response.status}, example=${name}` };
}

/** The case that the mock selects for a request without a preference: the first with the same request. */
function firstAlike(wanted: Case): Case {
  const credentials = (candidate: Case) => candidate.as !== "nobody" && candidate.as !== "stranger";
  return (
    cases.find(
      (c) =>
        c.operationId === wanted.operationId &&
        credentials(c) &&
        JSON.stringify(c.request) === JSON.stringify(wanted.request),
    ) ?? wanted
  );
}

const named = (list: readonly Case[]) => list.map((one) => [`${one.operationId} ${one.name}`, one] as const);
const calls = cases.filter(({ operationId }) => operationId !== "createResumableUpload");

describe("the chat mock, called by our client", () => {
  type Call = (values: object, options: object) => Promise<CallResult>;

  it.each(named(calls))("returns the case %s by name", async (_, one) => {
    const chat = createChatClient({ baseUrl: mock.url, email: "me@example.com", apiKey: "key" });
    const call = (chat as unknown as Record<string, Call>)[one.operationId];
    const result = await call?.(caseValues(one), { headers: preferring(one) });
    expect({ status: result?.status, body: result?.ok ? result.data : result?.error }).toEqual({
      status: one.response.status,
      body: one.response.body,
    });
  });

  const withCredentials = calls.filter(({ as }) => as !== "nobody" && as !== "stranger");
  it.each(named(sampleOf(withCredentials, 3)))("returns the case %s by its request", async (_, one) => {
    const chat = createChatClient({ baseUrl: mock.url, email: "me@example.com", apiKey: "key" });
    const call = (chat as unknown as Record<string, Call>)[one.operationId];
    const result = await call?.(caseValues(one), {});
    expect(result?.ok ? result.data : result?.error).toEqual(firstAlike(one).response.body);
  });
});

needing("curl").describe("the chat mock, called by curl with form fields", () => {
  it.each(named(sampleOf(calls, 3)))("returns the case %s", async (_, one) => {
    const operation = table[one.operationId];
    if (operation === undefined) throw new Error(`no operation ${one.operationId}`);
    const encoded = encode(operation, caseValues(one));
    const url = `${mock.url}/api/v1${encoded.path}${encoded.query ? `?${encoded.query}` : ""}`;
    const credentials = one.as === "nobody" ? [] : ["--user", "me@example.com:key"];
    const prefer = Object.entries(preferring(one)).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
    const body =
      encoded.body?.kind === "content"
        ? ["--data", String(encoded.body.content)]
        : (encoded.body?.parts ?? []).flatMap(([name, value]) =>
            typeof value === "string"
              ? ["--form-string", `${name}=${value}`]
              : ["--form", `${name}=@-;filename=notes.txt`],
          );
    const call = run("curl", [
      "--silent",
      "--show-error",
      "--write-out",
      "\n%{http_code} %{content_type}",
      "--request",
      encoded.method,
      ...credentials,
      ...prefer,
      ...body,
      url,
    ]);
    call.child.stdin?.end("some text");
    const [text = "", status = ""] = (await call).stdout.split(/\n(?=\d{3} [^\n]*$)/);
    expect(status).toBe(`${one.response.status} application/json`);
    const { ignored_parameters_unsupported: ignored, ...answer } = JSON.parse(text);
    expect(ignored).toEqual(
      (one.response.body as { ignored_parameters_unsupported?: unknown }).ignored_parameters_unsupported,
    );
    expect(answer).toEqual(
      Object.fromEntries(
        Object.entries(one.response.body as object).filter(([name]) => name !== "ignored_parameters_unsupported"),
      ),
    );
  });
});
