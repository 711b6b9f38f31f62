import { describe, expect, it } from "vitest";
import { operations } from "../../../generated/chat/operations.js";
import { buildRequest } from "../../../site/components/console/build-request.js";
import { fieldProblem, fillFromCase, listFields } from "../../../site/components/console/fields.js";
import { parseServerUrl } from "../../../site/components/console/server-url.js";
import { formatCurl, formatRequest } from "../../../site/components/console/show-request.js";
import { caseRequest } from "../../../src/chat/cases/case-request.js";
import { loadCases } from "../../../src/chat/contract.js";
import { inputsOf, type Operation, type Parameter } from "../../../src/request/operation.js";

const server = "http://127.0.0.1:4010";
const me = { email: "zoë@example.com", apiKey: "k:ey 1" };
const cases = await loadCases();

describe("buildRequest", () => {
  it("encodes every case of the contract as accord verify does", async () => {
    for (const one of cases) {
      const credentials = one.as === "nobody" ? { email: "", apiKey: "" } : me;
      const { bytes, body, ...wanted } = await caseRequest(
        one,
        `${server}/api/v1`,
        one.as === "nobody" ? undefined : { email: me.email, api_key: me.apiKey },
      );
      const built = buildRequest(one.operationId, server, fillFromCase(one), credentials);
      const isMultipart = Array.isArray(built.body);
      const { "Content-Type": _, ...headers } = wanted.headers;
      expect({ ...built, body: undefined }, one.name).toEqual({
        ...wanted,
        headers: isMultipart ? headers : wanted.headers,
        body: undefined,
      });
      expect(isMultipart ? built.body : (built.body ?? "")).toEqual(isMultipart ? body : bytes.toString());
    }
  });

  it("sends a text of a wrong type unchanged", () => {
    const { body } = buildRequest("unsubscribe", server, { subscriptions: "Denmark", principals: '[ "a" ]' }, me);
    expect([...new URLSearchParams(String(body))]).toEqual([
      ["subscriptions", "Denmark"],
      ["principals", '[ "a" ]'],
    ]);
    const problemOf = (parameter: Partial<Parameter>, text: string) =>
      fieldProblem({ parameter: { name: "x", place: "body", ...parameter } }, text);
    expect(problemOf({ json: true }, "Denmark")).toMatch(/is not JSON text/);
    expect(problemOf({ type: "integer" }, "7.5")).toMatch(/is not an integer/);
    expect(problemOf({ json: true }, "[]")).toBeUndefined();
  });

  it("names the path value that is missing", () => {
    expect(() => buildRequest("editMessage", server, { topic: "x" }, me)).toThrow(/needs a value for message_id/);
    expect(() => buildRequest("editMessage", server, { message_id: ".." }, me)).toThrow(/message_id is a path segment/);
  });
});

describe("listFields", () => {
  it("lists the parameters of the level, and marks the required ones", () => {
    const at = (level: number) => listFields("getMessages", {}, level);
    const names = (level: number) => at(level).map(({ name }) => name);
    expect(names(299)).not.toContain("message_ids");
    expect(names(300)).toContain("message_ids");
    const required = (level: number) => at(level).flatMap(({ name, required }) => (required ? [name] : []));
    expect(required(299)).toEqual(["num_before", "num_after"]);
    expect(required(300)).toEqual([]);
  });

  it("has every parameter and header of every operation at the newest level", () => {
    for (const [operationId, operation] of Object.entries<Operation>(operations)) {
      const names = listFields(operationId, {}, 415).map(({ name }) => name);
      expect(names.sort()).toEqual(
        inputsOf(operation)
          .map(({ name }) => name)
          .sort(),
      );
    }
  });
});

describe("parseServerUrl", () => {
  it.each([
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010"],
    [" https://chat.example.org/team/api/v1/ ", "https://chat.example.org/team"],
    ["http://[::1]:4011/", "http://[::1]:4011"],
  ])("reads %s", (text, url) => expect(parseServerUrl(text)).toEqual({ kind: "url", url }));

  it.each(["", "127.0.0.1:4010", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://x"])(
    "rejects %j, which is not http or https",
    (text) => expect(parseServerUrl(text)).toMatchObject({ kind: "problem", problem: /http or https/ as never }),
  );

  it.each(["http://me:key@127.0.0.1", "http://127.0.0.1/?key=1", "http://127.0.0.1/#x"])(
    "rejects %s, which is more than an origin and a path",
    (text) => expect(parseServerUrl(text)).toMatchObject({ problem: expect.stringContaining("without credentials") }),
  );
});

describe("the text of a request", () => {
  const request = buildRequest("unsubscribe", server, { subscriptions: '["Denmark"]' }, me);

  it("hides the key unless asked for", async () => {
    const key = Buffer.from(`${me.email}:${me.apiKey}`).toString("base64");
    expect(formatRequest(request, false)).toBe(
      `DELETE /api/v1/users/me/subscriptions HTTP/1.1
Host: 127.0.0.1:4010
Authorization: Basic ***
Content-Type: application/x-www-form-urlencoded

subscriptions=%5B%22Denmark%22%5D`,
    );
    expect(formatRequest(request, true)).toContain(`Authorization: Basic ${key}\n`);
    expect(await formatCurl(request, false)).toContain("-u 'zoë@example.com:***'");
    expect(await formatCurl(request, true)).toContain("-u 'zoë@example.com:k:ey 1'");
  });
});
