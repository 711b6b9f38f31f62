import { setTimeout as sleep } from "node:timers/promises";
import { parseUrl } from "../../../../src/base/parse-url.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";
import { frame, grpc, ok, respondsRaw } from "../raw-response.js";

/** Equivalent responses in other forms. */
export const transportVariations: readonly DaemonVariation[] = [
  variation("more-metadata", "adds its own headers and trailers").beforeEach(({ responseHeader, responseTrailer }) => {
    responseHeader.set("server", "proxyd/3.1 (linux; arm64)");
    responseHeader.set("x-request-id", "01HZX2F7M6T0Q9C4B8K3W5N1RD");
    responseTrailer.set("x-trace-bin", Buffer.from([0, 255, 128]).toString("base64"));
    responseTrailer.set("x-duration", "12ms");
  }),
  variation("slower", "responds a tenth of a second later").beforeEach(() => sleep(100)),
  variation("one-by-one", "processes one call at a time").by({
    handlers: (honest, log) => {
      let last: Promise<unknown> = Promise.resolve();
      const inTurn = <Reply>(work: () => Reply | Promise<Reply>): Promise<Reply> => {
        const mine = last.then(work);
        last = mine.catch(() => log("next"));
        return mine;
      };
      return {
        previewImport: (...call) => inTurn(() => honest.previewImport(...call)),
        applyImport: (...call) => inTurn(() => honest.applyImport(...call)),
        selectNode: (...call) => inTurn(() => honest.selectNode(...call)),
        loginCancel: (...call) => inTurn(() => honest.loginCancel(...call)),
      };
    },
  }),
  variation(
    "status-in-headers-too",
    "returns the gRPC status of an error in both headers and trailers",
  ).changesFetchErrors(({ error, context }) => {
    context.responseHeader.set("grpc-status", String(error.code));
    return error;
  }),
  variation(
    "status-in-headers-alone",
    "returns NOT_FOUND for every SelectNode over gRPC-Web, in the headers and before an empty trailer frame",
  ).by({
    protocol: "grpc-web",
    ...respondsRaw("ProxySubscriptions/SelectNode", {
      headers: { "content-type": "application/grpc-web+proto", "grpc-status": "5", "grpc-message": "No%20network" },
      body: frame(new Uint8Array(), { flags: 0x80 }),
    }),
  }),
  variation("plain-grpc", "responds to LoginCancel in the shortest form that gRPC allows").respondsRaw(
    "MeshControlService/LoginCancel",
    {
      headers: { "content-type": "application/grpc" },
      body: frame(),
      trailers: ok,
    },
  ),
  variation("padded-grpc", "declares encodings that it does not use, and sends a message with a success").respondsRaw(
    "MeshControlService/LoginCancel",
    {
      headers: { ...grpc, "grpc-accept-encoding": "gzip,zstd", "grpc-encoding": "identity" },
      body: frame(),
      trailers: { ...ok, "grpc-message": "OK" },
    },
  ),
  variation("talkative-log", "logs everything about a call except secrets").by({
    handlers: (honest, log) => ({
      ...honest,
      selectNode: (request, context) => {
        log(`\u001b[32mINFO\u001b[0m select network=${request.id} node=${request.selectedOrdinal}`);
        return honest.selectNode(request, context);
      },
      previewImport: async (request, context) => {
        log(`GET ${parseUrl(request.url)?.host ?? "-"} ${request.url.length} characters`);
        return honest.previewImport(request, context);
      },
    }),
  }),
];
