import { createClient } from "@connectrpc/connect";
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { expect, it } from "vitest";
import { ProxySubscriptions } from "../../../src/daemon/index.js";
import { serve, urlOf } from "./serve.js";

const count = 100_000;
const node = Array.from({ length: count }, (_, index) => ({
  ordinal: index + 1,
  name: `Nöde ${index}`,
  protocol: "trojan",
  server: "fra1.northwind.example",
  port: 443,
}));
const transports = { grpc: createGrpcTransport, "grpc-web": createGrpcWebTransport, connect: createConnectTransport };

it.each([
  { protocol: "grpc", useBinaryFormat: true, zipped: false },
  { protocol: "grpc-web", useBinaryFormat: true, zipped: true },
  { protocol: "connect", useBinaryFormat: false, zipped: false },
] as const)(
  "a reply of 100,000 nodes arrives ($protocol, binary: $useBinaryFormat, compressed: $zipped)",
  async (way) => {
    const server = await serve({}, { previewImport: () => ({ suggestedName: "large", node }) });
    const transport = transports[way.protocol]({
      baseUrl: urlOf(server).origin,
      httpVersion: way.protocol === "connect" ? "1.1" : "2",
      useBinaryFormat: way.useBinaryFormat,
      acceptCompression: way.zipped ? [compressionGzip] : [],
    });
    const reply = await createClient(ProxySubscriptions, transport).previewImport({});
    expect(reply.node).toHaveLength(count);
    expect(reply.node.at(-1)).toMatchObject({ ordinal: count, name: `Nöde ${count - 1}`, port: 443 });
  },
);
