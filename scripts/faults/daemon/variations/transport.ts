import { setTimeout as sleep } from "node:timers/promises";
import type { HandlerContext } from "@connectrpc/connect";
import { parseUrl } from "../../../../src/parse-url.js";
import type { DaemonBehaviour } from "../behaviour.js";
import { changesFetchErrors } from "../fetch-errors.js";
import { answersRaw, frame, grpc, ok } from "../raw-answer.js";
import type { DaemonVariation } from "../variation.js";

/** Runs a function before every call. */
function before(act: (context: HandlerContext) => unknown): DaemonBehaviour {
  return {
    handlers: (honest) => ({
      previewImport: async (request, context) => {
        await act(context);
        return honest.previewImport(request, context);
      },
      applyImport: async (request, context) => {
        await act(context);
        return honest.applyImport(request, context);
      },
      selectNode: async (request, context) => {
        await act(context);
        return honest.selectNode(request, context);
      },
      loginCancel: async (request, context) => {
        await act(context);
        return honest.loginCancel(request, context);
      },
    }),
  };
}

/** Equivalent responses in other forms. */
export const transportVariations: readonly DaemonVariation[] = [
  {
    name: "more-metadata",
    summary: "adds its own headers and trailers",
    behaviour: before(({ responseHeader, responseTrailer }) => {
      responseHeader.set("server", "proxyd/3.1 (linux; arm64)");
      responseHeader.set("x-request-id", "01HZX2F7M6T0Q9C4B8K3W5N1RD");
      responseTrailer.set("x-trace-bin", Buffer.from([0, 255, 128]).toString("base64"));
      responseTrailer.set("x-duration", "12ms");
    }),
  },
  {
    name: "slower",
    summary: "responds a tenth of a second later",
    behaviour: before(() => sleep(100)),
  },
  {
    name: "one-by-one",
    summary: "processes one call at a time",
    behaviour: {
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
    },
  },
  {
    name: "status-in-headers-too",
    summary: "returns the gRPC status of an error in both headers and trailers",
    behaviour: changesFetchErrors(({ error, context }) => {
      context.responseHeader.set("grpc-status", String(error.code));
      return error;
    }),
  },
  {
    name: "status-in-headers-alone",
    summary: "returns NOT_FOUND for every SelectNode over gRPC-Web, in the headers and before an empty trailer frame",
    behaviour: {
      protocol: "grpc-web",
      ...answersRaw("ProxySubscriptions/SelectNode", {
        headers: { "content-type": "application/grpc-web+proto", "grpc-status": "5", "grpc-message": "No%20network" },
        body: frame(new Uint8Array(), { flags: 0x80 }),
      }),
    },
  },
  {
    name: "plain-grpc",
    summary: "responds to LoginCancel in the shortest form that gRPC allows",
    behaviour: answersRaw("MeshControlService/LoginCancel", {
      headers: { "content-type": "application/grpc" },
      body: frame(),
      trailers: ok,
    }),
  },
  {
    name: "padded-grpc",
    summary: "declares encodings that it does not use, and sends a message with a success",
    behaviour: answersRaw("MeshControlService/LoginCancel", {
      headers: { ...grpc, "grpc-accept-encoding": "gzip,zstd", "grpc-encoding": "identity" },
      body: frame(),
      trailers: { ...ok, "grpc-message": "OK" },
    }),
  },
  {
    name: "talkative-log",
    summary: "logs everything about a call except secrets",
    behaviour: {
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
    },
  },
];
