import { isDeepStrictEqual } from "node:util";
import {
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonObject,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import type { RpcCase } from "../../contract/rpc/cases.js";
import { loadDaemonCases } from "../../daemon/daemon-contract.js";
import { daemonMethods } from "../../daemon/daemon-methods.js";
import { createDaemonServer } from "../../daemon/server/create-daemon-server.js";
import type { CallContext } from "../../daemon/server/daemon-handlers.js";
import type { DaemonServer, DaemonServerAddress } from "../../daemon/server/daemon-server.js";
import { preferredCase } from "../prefer.js";

/** Where the mock listens. */
export type DaemonMockOptions = DaemonServerAddress;

/**
 * Serves the daemon's RPCs without state, from the cases of the contract, on gRPC, gRPC-Web and Connect.
 *
 * A request that equals the request of a case gets the reply or error of that case; any other gets the reply of the first successful
 * case, with its own values in the fields that repeat the request. Request metadata `prefer: case=select-unknown-node` selects any case
 * of the RPC. The mock never fetches a URL.
 *
 * Listens on a free TCP port of 127.0.0.1 by default. Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createDaemonMock(options: DaemonMockOptions = {}): Promise<DaemonServer> {
  const { cases } = await loadDaemonCases();
  const handlers = daemonMethods.map(({ localName, method }) => [localName, createAnswerCall(method, cases)]);
  return createDaemonServer({ ...options, handlers: Object.fromEntries(handlers) });
}

/** Creates a handler that serves one RPC from its cases. */
function createAnswerCall<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  allCases: readonly RpcCase[],
): (request: MessageShape<Input>, context: Pick<CallContext, "requestHeader">) => MessageShape<Output> {
  const cases = allCases.filter(({ rpc }) => `proxydaemon.v1.${rpc}` === `${method.parent.typeName}/${method.name}`);
  return (message, { requestHeader }) => {
    const request = toJson<DescMessage>(method.input, message);
    const name = preferredCase(requestHeader.get("prefer"));
    const chosen = name === undefined ? cases.find((one) => isDeepStrictEqual(one.request, request)) : named(name);
    const reply = chosen === undefined ? replyOfFirstSuccess(request) : replyOf(chosen);
    return fromJson(method.output, reply);
  };

  function named(name: string): RpcCase {
    const found = cases.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = cases.map((one) => one.name).join(", ");
    throw new ConnectError(`${method.name} has no case '${name}'. Cases: ${names}`, Code.InvalidArgument);
  }

  function replyOf({ error, reply = {} }: RpcCase): JsonObject {
    if (error !== undefined) throw new ConnectError(error.message, codeFromString(error.code) ?? Code.Unknown);
    return reply;
  }

  /** The reply of the first successful case. Fields that repeat the request take their value from this request. */
  function replyOfFirstSuccess(request: unknown): JsonObject {
    const first = cases.find(({ reply }) => reply !== undefined);
    if (first?.reply === undefined) throw new ConnectError(`${method.name} has no successful case`, Code.Unimplemented);
    const given = new Map(Object.entries(request ?? {}));
    const repeated = (field: string, value: unknown) =>
      [...(first.exact ?? []), ...Object.keys(first.expect ?? {})].includes(`/${field}`) &&
      isDeepStrictEqual(first.request[field], value);
    return Object.fromEntries(
      Object.entries(first.reply).flatMap(([field, value]) => {
        if (!repeated(field, value)) return [[field, value]];
        return given.has(field) ? [[field, given.get(field)]] : [];
      }),
    );
  }
}
