import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../../../generated/chat/operations.js";
import { callers } from "../../../../generated/chat/states.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { OperationId } from "../../../../src/chat/operation-types.js";
import type { Operation } from "../../../../src/request/operation.js";
import { type PopulatedOrganization, populateOrganization } from "../../../support/populated-organization.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { exchange, exchangeBytes, isCutShort, type RawRequest, type RawResponse } from "../../../support/raw-http.js";
import { percentEncoded } from "./encodings.js";
import { malformedRequests } from "./malformed-requests.js";
import { notoriousText } from "./notorious-text.js";

let server: ChatReference;
let witness: PopulatedOrganization;
const faults: string[] = [];

beforeAll(async () => {
  const logger = {
    request: () => {},
    warn: () => {},
    fault: (error: unknown, operation: string) => {
      faults.push(`${operation}: ${error instanceof Error ? error.stack : String(error)}`);
    },
  };
  server = await createChatReference({ states: true, validateResponses: true, logger });
  witness = await populateOrganization(server);
});
afterAll(() => server.close());

describe("malformed requests", () => {
  it.each(Object.entries(operations) as [OperationId, Operation][])(
    "get a response in the envelope from %s",
    async (operationId, operation) => {
      // One organization per operation, since requests that happen to be valid change it.
      const organization = await populateOrganization(server);
      const requests = malformedRequests(operationId, operation, organization, callers);
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          faults.length = 0;
          expect(problems(request, await exchange(server.url, request)).concat(faults)).toEqual([]);
        }),
        { seed: propertySeed, numRuns: propertyRuns(250), endOnFailure: true },
      );
      await expectNormalAnswer();
    },
  );

  it.each([
    ["nothing", ""],
    ["no HTTP", "\x16\x03\x01\0\0"],
    ["a request line alone", "GET /api/v1/messages"],
    ["a future version of HTTP", "GET /api/v1/server_settings HTTP/3.0\r\nHost: a\r\n\r\n"],
    ["no host", "GET /api/v1/server_settings HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["a header without a colon", "GET /api/v1/server_settings HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n"],
    ["a NUL in a header", "GET /api/v1/server_settings HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"],
    ["a bare line feed", "GET /api/v1/server_settings HTTP/1.1\nHost: a\nConnection: close\n\n"],
    ["endless headers", `GET /api/v1/server_settings HTTP/1.1\r\nHost: a\r\n${"X: y\r\n".repeat(9_000)}\r\n`],
    ["a preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n"],
  ])("get a response in the envelope or none if the bytes are %s", async (_, bytes) => {
    faults.length = 0;
    const answer = (await exchangeBytes(server.url, Buffer.from(bytes, "latin1"))).toString("utf8");
    expect(faults).toEqual([]);
    if (answer !== "") {
      expect(answer).toMatch(/^HTTP\/1\.1 (200|4\d\d|501) /);
      expect(answer).toMatch(/\r\nContent-Type: application\/json\r\n/i);
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))).toMatchObject({ msg: expect.any(String) });
    }
    await expectNormalAnswer();
  });

  it("get no file outside the upload folder", async () => {
    const own = await populateOrganization(server);
    const { email, api_key: key } = own.credentials("other");
    const authorization = ["Authorization", `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`] as const;
    const [, , organization = "", random = "", name = ""] = own.has.attachmentUrl.split("/");
    const segment = fc.oneof(
      fc.constantFrom(
        organization,
        random,
        name,
        "..",
        ".",
        "",
        "%2e%2e",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff",
        "a\\b",
        "*",
      ),
      notoriousText.map((text) => percentEncoded(text).slice(0, 2_000)),
    );
    const paths = fc.oneof(
      fc.constant(own.has.attachmentUrl),
      fc.array(segment, { maxLength: 5 }).map((segments) => `/user_uploads/${segments.join("/")}`),
      fc.array(segment, { maxLength: 3 }).map((segments) => `/api/v1/tus/${segments.join("/")}`),
    );
    const methods = fc.constantFrom("GET", "GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS");
    const range = fc.constantFrom(
      "bytes=0-0",
      "bytes=5-2",
      "bytes=-999999",
      "bytes=0-0,2-2",
      "lines=1-2",
      "bytes=9e9-",
    );
    const tus = fc.constantFrom<[string, string][]>([], [["Tus-Resumable", "1.0.0"]]);
    await fc.assert(
      fc.asyncProperty(methods, paths, range, tus, fc.boolean(), async (method, target, bytes, extra, isKnown) => {
        faults.length = 0;
        const headers = [["Range", bytes] as const, ...extra, ...(isKnown ? [authorization] : [])];
        const response = await exchange(server.url, { method, target, headers });
        const isFile = isKnown && target === own.has.attachmentUrl && (response?.status ?? 400) < 400;
        const request = { method, target, headers };
        expect((isFile ? [] : problems(request, response)).concat(faults)).toEqual([]);
      }),
      { seed: propertySeed, numRuns: propertyRuns(300), endOnFailure: true },
    );
    await expectNormalAnswer();
  });

  it("do not block others if a body never ends", async () => {
    const { email, api_key: key } = witness.credentials("member");
    const authorization = Buffer.from(`${email}:${key}`).toString("base64");
    const waiting = Array.from({ length: 20 }, () => {
      const abort = new AbortController();
      const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("topic=x")) });
      const sent = fetch(`${server.url}/api/v1/messages/${witness.has.publicMessage}`, {
        method: "PATCH",
        headers: { Authorization: `Basic ${authorization}`, "Content-Type": "application/x-www-form-urlencoded" },
        body,
        duplex: "half",
        signal: abort.signal,
      } as RequestInit).catch(() => undefined);
      return { abort, sent };
    });
    await expectNormalAnswer();
    for (const { abort } of waiting) abort.abort();
    await Promise.all(waiting.map(({ sent }) => sent));
    await expectNormalAnswer();
  });
});

/** Describes what is wrong with a response. */
function problems(request: RawRequest, response: RawResponse | undefined): string[] {
  if (response === undefined) return isCutShort(request) ? [] : ["closed the connection without an answer"];
  const { status, headers, body } = response;
  const found: string[] = [];
  if (status >= 500) found.push(`status ${status}: ${body.slice(0, 300)}`);
  const isBodyless = request.method === "HEAD" || status === 204 || (body === "" && isTus(request) && status < 300);
  if (isBodyless) return found;
  if (headers["content-type"] !== "application/json") found.push(`Content-Type ${headers["content-type"]}, ${status}`);
  return [...found, ...envelopeProblems(status, body)];
}

function envelopeProblems(status: number, body: string): string[] {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(body) as Record<string, unknown>;
  } catch {
    return [`no JSON, ${status}: ${body.slice(0, 300)}`];
  }
  const { result, msg, code } = value;
  const fits =
    status < 400
      ? result === "success" && typeof msg === "string" && code === undefined
      : result === "error" && typeof msg === "string" && msg !== "" && typeof code === "string";
  return fits ? [] : [`no envelope, ${status}: ${body.slice(0, 300)}`];
}

function isTus({ target }: RawRequest): boolean {
  return target.startsWith("/api/v1/tus");
}

/** Expects that the server still answers an organization that sent no malformed requests. */
async function expectNormalAnswer(): Promise<void> {
  const answer = await witness
    .as("member")
    .getMessages(
      { anchor: "newest", num_before: 10, num_after: 0, apply_markdown: false },
      { signal: AbortSignal.timeout(300_000) },
    );
  if (!answer.ok) throw new Error(`refused: ${answer.error.msg}`);
  expect(answer.data.messages.map(({ id, content }) => ({ id, content }))).toEqual([
    { id: witness.has.publicMessage, content: "In the open" },
  ]);
}
