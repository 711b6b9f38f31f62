import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseRequest } from "../../../src/chat/cases/case-request.js";
import { loadCases } from "../../../src/chat/contract.js";
import { sendCase } from "../../support/send-case.js";
import { exampleCase } from "../../verify/rest/example-case.js";
import { type SeenRequest, startExampleServer } from "../../verify/rest/example-server.js";

const credentials = { email: "me@org.example", api_key: "a:ä" };
let server: Awaited<ReturnType<typeof startExampleServer>>;
beforeAll(async () => {
  server = await startExampleServer(() => ({ body: { result: "success", msg: "" } }));
});
afterAll(() => server.close());

/** Replaces the multipart boundary, which is random. */
function normalized(seen: SeenRequest | undefined): SeenRequest | undefined {
  const boundary = /^--(-{4}\S+)\r\n/.exec(seen?.body ?? "")?.[1];
  if (seen === undefined || boundary === undefined) return seen;
  const headers = { ...seen.headers, "content-type": seen.headers["content-type"]?.replace(boundary, "…") };
  return { ...seen, headers, body: seen.body.replaceAll(boundary, "…") };
}

describe("caseRequest", () => {
  it("encodes every case of the contract as the client does", async () => {
    for (const one of await loadCases()) {
      await sendCase(one, server.url, credentials);
      const wanted = normalized(server.seen.at(-1));
      const { method, url, headers, bytes } = await caseRequest(one, `${server.url}/api/v1`, credentials);
      await fetch(url, { method, headers, ...(bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }) });
      expect(normalized(server.seen.at(-1))).toEqual(wanted);
    }
  });

  it("sends no credentials if there are none", async () => {
    expect((await caseRequest(exampleCase(), "http://x/api/v1", undefined)).headers).not.toHaveProperty(
      "Authorization",
    );
  });

  it("preserves the bytes of a file", async () => {
    const file = { name: "ä.txt", type: "text/plain", text: "zero \0, ä, 😀, \r\n" };
    const one = exampleCase({
      operationId: "uploadFile",
      request: { path: {}, query: {}, header: {}, body: { file } },
    });
    const { bytes, headers, body } = await caseRequest(one, "http://x/api/v1", undefined);
    expect(headers["Content-Type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(bytes.includes(Buffer.from(`\r\n\r\n${file.text}\r\n--`))).toBe(true);
    expect(body).toEqual([["file", expect.any(File)]]);
  });

  it("rejects a value that cannot be a path segment, and an unknown operation", async () => {
    const path = { message_id: ".." };
    const one = exampleCase({ operationId: "editMessage", request: { path, query: {}, header: {} } });
    await expect(caseRequest(one, "http://x", undefined)).rejects.toThrow("message_id is a path segment and cannot be");
    await expect(caseRequest(exampleCase({ operationId: "fly" }), "http://x", undefined)).rejects.toThrow(
      "no operation fly",
    );
  });
});
