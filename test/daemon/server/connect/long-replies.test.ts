import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { create, type MessageInitShape, toBinary, toJsonString } from "@bufbuild/protobuf";
import { createClient, type Transport } from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DaemonHandlers,
  type DaemonServer,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptions,
} from "../../../../src/daemon/index.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { rawCall, rawSession } from "../grpc/raw-grpc.js";
import { previewArbitrary } from "../preview-arbitrary.js";
import { countRounds } from "../rounds.js";
import { serve, stopLater, urlOf } from "../serve.js";

const protocols = ["connect", "grpc-web", "grpc"] as const;
const compressions = { none: [], gzip: [compressionGzip], br: [compressionBrotli] } as const;
type CompressionName = keyof typeof compressions;
const ways = protocols.flatMap((protocol) =>
  [true, false].flatMap((useBinaryFormat) =>
    (["none", "gzip", "br"] as const).map((compression) => ({ protocol, useBinaryFormat, compression })),
  ),
);
interface Way {
  readonly protocol: (typeof protocols)[number];
  readonly useBinaryFormat: boolean;
  readonly compression: CompressionName;
}

function transportOf(server: DaemonServer, { protocol, useBinaryFormat, compression }: Way): Transport {
  const baseUrl = urlOf(server).origin;
  // Compresses gRPC requests as well, which makes them go through Connect.
  const [sendCompression] = compressions[compression];
  const options = {
    baseUrl,
    useBinaryFormat,
    acceptCompression: [...compressions[compression]],
    compressMinBytes: 0,
    ...(sendCompression === undefined ? {} : { sendCompression }),
  };
  const sessionManager = new Http2SessionManager(baseUrl);
  stopLater(() => sessionManager.abort());
  switch (protocol) {
    case "connect":
      return createConnectTransport({ ...options, httpVersion: "1.1" });
    case "grpc-web":
      return createGrpcWebTransport({ ...options, httpVersion: "1.1" });
    case "grpc":
      return createGrpcTransport({ ...options, sessionManager });
  }
}

type Preview = MessageInitShape<typeof ProxySubscriptionPreviewResponseSchema>;

function longPreview(count: number): Preview {
  const node = Array.from({ length: count }, (_, index) => ({ ordinal: index + 1, name: `Nöde ${index}` }));
  return { suggestedName: "n", compatibleCount: count, node, warnings: ["w"] };
}

describe.each(ways)("a reply over $protocol, binary: $useBinaryFormat, compression: $compression", (way) => {
  it("arrives unchanged if it is long", async () => {
    let reply: Preview = {};
    const server = await serve({}, { previewImport: () => reply });
    const client = createClient(ProxySubscriptions, transportOf(server, way));
    for (const count of [499, 500, 501, 2_501]) {
      reply = longPreview(count);
      expect(await client.previewImport({})).toEqual(create(ProxySubscriptionPreviewResponseSchema, reply));
    }
  });

  it("is encoded in slices if it is long", async () => {
    const rounds = countRounds();
    stopLater(rounds.stop);
    /** The number of nodes read in each round of the event loop. */
    const readInRound = new Map<number, Set<number>>();
    const node = Array.from({ length: 20_000 }, (_, index) => ({
      get ordinal() {
        const read = readInRound.get(rounds.soFar()) ?? new Set();
        readInRound.set(rounds.soFar(), read.add(index));
        return index;
      },
    }));
    const server = await serve({}, { previewImport: () => ({ node }) });
    const got = await createClient(ProxySubscriptions, transportOf(server, way)).previewImport({});
    expect(got.node).toHaveLength(node.length);
    const sizes = [...readInRound.values()].map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(node.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2_000);
  });

  it("becomes an error if it is long and does not match its type", async () => {
    const faults: unknown[] = [];
    const previewImport = (() => ({
      node: [...(longPreview(600).node ?? []), { name: 7, server: "s3cret" }],
    })) as unknown as DaemonHandlers["previewImport"];
    const server = await serve({ onFault: (fault) => faults.push(fault) }, { previewImport });
    const client = createClient(ProxySubscriptions, transportOf(server, way));
    await expect(client.previewImport({})).rejects.toThrow("The daemon failed");
    expect(faults).toEqual([expect.any(TypeError)]);
    expect(String(faults[0])).not.toContain("s3cret");
  });
});

function wellFormed(init: Preview): Preview {
  return JSON.parse(JSON.stringify(init), (_, value) =>
    typeof value === "string" ? Buffer.from(value).toString() : value,
  );
}

describe("random long replies", () => {
  it.each(ways.filter(({ compression }) => compression !== "br"))(
    "decode to the same message ($protocol)",
    async (way) => {
      let reply: Preview = {};
      const server = await serve({}, { previewImport: () => reply });
      const client = createClient(ProxySubscriptions, transportOf(server, way));
      await fc.assert(
        fc.asyncProperty(previewArbitrary, async (short) => {
          // Neither JSON nor Connect clients support lone surrogates.
          reply = wellFormed({ ...short, warnings: [...Array(600).keys()].map(String) });
          const got = toJsonString(ProxySubscriptionPreviewResponseSchema, await client.previewImport({}));
          const want = toJsonString(
            ProxySubscriptionPreviewResponseSchema,
            create(ProxySubscriptionPreviewResponseSchema, reply),
          );
          expect(Buffer.from(got).equals(Buffer.from(want))).toBe(true);
        }),
        { seed: propertySeed, numRuns: propertyRuns(20) },
      );
    },
  );
});

describe("a long reply to a raw request", () => {
  const reply = longPreview(700);
  const json = toJsonString(
    ProxySubscriptionPreviewResponseSchema,
    create(ProxySubscriptionPreviewResponseSchema, reply),
  );
  const path = "/proxydaemon.v1.ProxySubscriptions/PreviewImport";

  async function post(headers: Record<string, string>) {
    const server = await serve({}, { previewImport: () => reply });
    const sent = httpRequest(new URL(path, urlOf(server)), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
    });
    sent.end("{}");
    const [response] = await once(sent, "response");
    return { headers: response.headers, body: Buffer.concat(await response.toArray()) };
  }

  it("equals what Connect itself would send", async () => {
    const { headers, body } = await post({});
    expect(body.toString()).toBe(json);
    expect(headers).toMatchObject({ "content-type": "application/json", "content-length": String(body.length) });
    expect(headers["content-encoding"]).toBeUndefined();
  });

  it.each(["gzip", "br, gzip", "deflate,gzip"])("is compressed for a client that accepts %s", async (accept) => {
    const { headers, body } = await post({ "accept-encoding": accept });
    expect(headers).toMatchObject({ "content-encoding": "gzip", "content-length": String(body.length) });
    expect(Buffer.from(await compressionGzip.decompress(body, 1_000_000)).toString()).toBe(json);
  });

  it.each(["br", "identity", "s3cret"])("is not compressed for a client that accepts %s", async (accept) => {
    const { headers, body } = await post({ "accept-encoding": accept });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(body.toString()).toBe(json);
  });

  it("arrives unchanged at a local web page that calls over gRPC", async () => {
    const session = rawSession(await serve({}, { previewImport: () => reply }));
    const answer = await rawCall(session, { ":path": path, origin: "http://localhost:5173" }, [Buffer.alloc(5)]);
    const want = toBinary(
      ProxySubscriptionPreviewResponseSchema,
      create(ProxySubscriptionPreviewResponseSchema, reply),
    );
    expect(answer.body.subarray(5).equals(want)).toBe(true);
    expect(answer.trailers["grpc-status"]).toBe("0");
  });
});
