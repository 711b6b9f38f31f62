import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingHttpHeaders, ServerHttp2Stream } from "node:http2";
import type { DaemonCase } from "../../../contract/daemon/cases.js";
import type { DaemonServer } from "../../../daemon/server/daemon-server.js";
import { pathOfRpc } from "../../../daemon/service-names.js";
import { createForwarder, type ForwarderOptions } from "../../traffic/create-forwarder.js";
import { createStreamForwarder, type StreamForwarderOptions } from "../../traffic/create-stream-forwarder.js";
import { createPlannedCases, type PlannedCases } from "../../traffic/planned-cases.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import type { RouteCall } from "./route-call.js";

/** The routing and recording of planned calls. */
export interface PlannedCallOptions
  extends Pick<ForwarderOptions, "onExchange" | "formatError">,
    Pick<StreamForwarderOptions, "refuse" | "limits"> {
  readonly cases: readonly DaemonCase[];
  readonly route: RouteCall;
  /** Starts the server that serves planned calls, when the first is planned. */
  readonly startMock: () => Promise<DaemonServer>;
}

/** The cases with which a proxy responds in place of a daemon, through a mock, in every protocol. */
export interface PlannedCalls {
  readonly planned: PlannedCases;
  /** Starts the mock. Must have resolved before a planned call arrives. */
  readonly start: () => Promise<void>;
  /** Responds to a request if its RPC has a planned case. Returns false otherwise. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The same for HTTP/2. */
  readonly handleStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => boolean;
  readonly close: () => Promise<void>;
}

/** A call that the mock serves. */
interface PlannedCall {
  readonly case: string;
  readonly origin: string;
  /** The path of the RPC at the mock, whose services have the names of the contract. */
  readonly path: string;
}

/** Creates the planned calls of one proxy. */
export function createPlannedCalls(options: PlannedCallOptions): PlannedCalls {
  const { cases, route, startMock, onExchange, formatError, refuse, limits } = options;
  const planned = createPlannedCases(
    cases.map(({ rpc, name }) => `${methodName(rpc)}/${name}`),
    "<method>/<case>",
  );
  let starting: Promise<DaemonServer> | undefined;
  let origin: string | undefined;

  function take(method: string, target: string): PlannedCall | undefined {
    if (!planned.hasAny() || origin === undefined) return undefined;
    const destination = route(method, target);
    if (destination.kind !== "rpc") return undefined;
    const name = planned.take(methodName(destination.method.rpc));
    return name === undefined ? undefined : { case: name, origin, path: `/${pathOfRpc(destination.method.rpc)}` };
  }

  /** Records the exchange with the client's target, and without the header that chooses the case. */
  function recorder(call: PlannedCall, target: string, closed: () => void): (exchange: RecordedExchange) => void {
    return (exchange) => {
      const { prefer: _, ...headers } = exchange.request.headers;
      const { body, bodyBytes, method } = exchange.request;
      onExchange({
        ...exchange,
        request: { method, target, headers, body, bodyBytes },
        provoked: [`case ${call.case}`],
      });
      setImmediate(closed);
    };
  }

  return {
    planned,
    start: async () => {
      starting ??= startMock();
      origin = (await starting).addresses[0];
    },
    handle: (request, response) => {
      const target = request.url ?? "/";
      const call = take(request.method ?? "GET", target);
      if (call === undefined) return false;
      const once = createForwarder({
        origin: call.origin,
        formatError,
        limits,
        onExchange: recorder(call, target, () => once.close()),
      });
      request.url = call.path;
      // First, so that it has precedence over a header of the client.
      request.rawHeaders.unshift("Prefer", preference(call));
      once.handle(request, response);
      return true;
    },
    handleStream: (stream, headers) => {
      const target = headers[":path"] ?? "/";
      const call = take(headers[":method"] ?? "GET", target);
      if (call === undefined) return false;
      const once = createStreamForwarder({
        origin: call.origin,
        refuse,
        limits,
        onExchange: recorder(call, target, () => once.close()),
      });
      once.handle(stream, { ...headers, ":path": call.path, prefer: preference(call) });
      return true;
    },
    close: async () => {
      await (await starting)?.close();
    },
  };
}

function preference(call: PlannedCall): string {
  return `case=${call.case.slice(call.case.indexOf("/") + 1)}`;
}

function methodName(rpc: DaemonCase["rpc"]): string {
  return rpc.slice(rpc.indexOf("/") + 1);
}
