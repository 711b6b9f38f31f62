import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { framed, rawCall, rawSession, statusOf, selectRequest as valid } from "./raw-grpc.js";
import { clientOf, serve, stopLater, urlOf } from "./serve.js";

const secret = Buffer.from("s3cret");

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const chunk = fc.oneof(
  bytes,
  bytes.map((message) => Buffer.concat([framed(message), secret])),
  bytes.map((message) => framed(message)),
  fc.tuple(bytes, fc.nat(255), fc.nat(2 ** 32 - 1)).map(([message, flag, length]) => framed(message, flag, length)),
  fc.constant(valid),
  fc.nat(valid.length).map((end) => valid.subarray(0, end)),
);
const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/grpc",
      "application/grpc+proto",
      "application/grpc+json",
      "text/plain",
    ),
    "grpc-timeout": fc.oneof(
      fc.constantFrom("1n", "10m", "1S", "9H", "99999999H"),
      fc.string({ unit: fc.constantFrom(..."09HmnS-. ") }),
    ),
    "grpc-encoding": fc.constantFrom("identity", "gzip", "br", "s3cret"),
    "x-bin": fc.string({ unit: fc.constantFrom(..."aé=,;\t ") }),
  },
  { requiredKeys: [] },
);
const ending = fc.constantFrom({}, {}, { cancel: true });

describe("a malformed gRPC stream", () => {
  it("is answered or closed without affecting other streams", async () => {
    const faults: unknown[] = [];
    let calls = 0;
    const server = await serve({ onFault: (error) => faults.push(error), onCall: () => calls++ });
    const session = rawSession(server);
    await fc.assert(
      fc.asyncProperty(headers, fc.array(chunk, { maxLength: 4 }), ending, async (given, chunks, end) => {
        const answer = await rawCall(session, given, chunks, end);
        const text = JSON.stringify([answer.headers, answer.trailers]);
        expect(text).not.toContain("s3cret");
        if (!("cancel" in end) && Number(answer.headers[":status"]) === 200)
          expect(statusOf(answer).status).toMatch(/^\d+$/);
        expect(statusOf(await rawCall(session, {}, [valid])).status).toBe("0");
      }),
      { seed: propertySeed, numRuns: propertyRuns(200) },
    );
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(propertyRuns(200));
  });

  it("can consist of random frames without affecting other streams", async () => {
    const server = await serve();
    const frame = fc
      .record({ type: fc.nat(10), flags: fc.nat(255), stream: fc.constantFrom(0, 1, 3, 5), payload: bytes })
      .map(({ type, flags, stream, payload }) => {
        const head = Buffer.alloc(9);
        head.writeUIntBE(payload.length, 0, 3);
        head[3] = type;
        head[4] = flags;
        head.writeUInt32BE(stream, 5);
        return Buffer.concat([head, payload]);
      });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 8 }), async (frames) => {
        const socket = connect(Number(urlOf(server).port), "127.0.0.1");
        stopLater(() => socket.destroy());
        socket.on("error", () => {});
        const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
        socket.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings, ...frames]));
        await Promise.race([once(socket, "data"), once(socket, "close")]);
        socket.destroy();
      }),
      { seed: propertySeed, numRuns: propertyRuns(100) },
    );
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });
});
