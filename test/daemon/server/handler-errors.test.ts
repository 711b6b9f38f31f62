import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { failing, rawCall, rawSession, selectRequest as request, statusOf } from "./raw-grpc.js";
import { clientOf, serve } from "./serve.js";

describe("an error of a handler", () => {
  it("reaches the caller with code and message, percent-encoded", async () => {
    const error = new ConnectError("Kein Knoten „München“: 100 % weg\n\ud800", Code.NotFound);
    const answer = await rawCall(rawSession(await serve({}, failing(error))), {}, [request]);
    expect(answer.headers[":status"]).toBe(200);
    expect(answer.trailers["grpc-status"]).toBe("5");
    expect(answer.trailers["grpc-message"]).toMatch(/^[\x20-\x7e]+$/);
    expect(statusOf(answer).message).toBe("Kein Knoten „München“: 100 % weg\n\ufffd");
  });

  it("reaches the caller with details and metadata", async () => {
    const error = new ConnectError(
      "no",
      Code.FailedPrecondition,
      { "x-retry": "later", "content-length": "3", "grpc-status": "0" },
      [{ desc: StringValueSchema, value: { value: "detail" } }],
    );
    const server = await serve({}, { selectNode: () => Promise.reject(error) });
    const caught: unknown = await clientOf(server)
      .selectNode({})
      .catch((thrown: unknown) => thrown);
    if (!(caught instanceof ConnectError)) expect.fail(`not a ConnectError: ${caught}`);
    expect(caught.code).toBe(Code.FailedPrecondition);
    expect(caught.metadata.get("x-retry")).toBe("later");
    expect(caught.findDetails(StringValueSchema)).toMatchObject([{ value: "detail" }]);
  });

  it.each([
    ["a long message", new ConnectError("é".repeat(100_000), Code.Aborted)],
    [
      "metadata that HTTP/2 forbids",
      new ConnectError("no", Code.Aborted, { connection: "close", te: "gzip", upgrade: "h2c" }),
    ],
  ])("reaches the caller despite %s", async (_, error) => {
    const answer = await rawCall(rawSession(await serve({}, failing(error))), {}, [request]);
    expect(statusOf(answer).status).toBe(String(Code.Aborted));
  });

  it.each([
    ["not a ConnectError", new TypeError("s3cret")],
    ["not an error", "s3cret"],
    ["undefined", undefined],
    ["an unknown code", new ConnectError("s3cret", 99 as Code)],
  ])("is reported as a fault if it is %s", async (_, thrown) => {
    const faults: unknown[] = [];
    const server = await serve({ onFault: (...fault) => faults.push(fault) }, failing(thrown));
    const answer = await rawCall(rawSession(server), {}, [request]);
    expect(statusOf(answer)).toEqual({ status: String(Code.Internal), message: "The server failed" });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
    expect(faults).toEqual([[thrown, "ProxySubscriptions/SelectNode"]]);
  });
});
