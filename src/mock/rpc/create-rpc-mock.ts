import { isDeepStrictEqual } from "node:util";
import {
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  toJson,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import type { RpcCase } from "../../contract/rpc/cases.js";
import type { RpcContract, RpcMethod } from "../../contract/rpc/contract.js";
import { exampleOf } from "../../contract/rpc/messages.js";
import { createRpcServer } from "../../server/rpc/create-rpc-server.js";
import type { RpcRoute } from "../../server/rpc/rpc-server-options.js";
import type { ListenAddress, RunningServer } from "../../server/running-server.js";
import { preferredCase } from "../prefer.js";

/**
 * Serves the unary RPCs of a contract without state, from its cases, on gRPC, gRPC-Web and Connect.
 *
 * A request that equals the request of a case gets the reply or error of that case; any other gets the reply of the first successful
 * case, with its own values in the fields that repeat the request; without any case, an empty reply. Request metadata
 * `prefer: case=select-unknown-node` selects any case of the RPC. The mock never fetches a URL.
 *
 * Listens on a free TCP port of 127.0.0.1 by default. Rejects with a `ListenError` if it cannot listen on an address.
 */
export async function createRpcMock(contract: RpcContract, options: ListenAddress = {}): Promise<RunningServer> {
  const routes = contract.methods.map((one) => ({ ...one, handler: createHandler(one, contract) }));
  return createRpcServer({ ...options, routes, files: contract.files });
}

/** Creates a handler that serves one RPC from its cases. */
function createHandler(
  { rpc, method }: RpcMethod,
  { cases: allCases, registry }: Pick<RpcContract, "cases" | "registry">,
): RpcRoute["handler"] {
  const cases = allCases.filter((one) => one.rpc === rpc && one.derived === undefined);
  return (message, { requestHeader }) => {
    const request = toJson<DescMessage, Partial<JsonWriteOptions>>(method.input, message, { registry });
    const name = preferredCase(requestHeader.get("prefer"));
    const chosen = name === undefined ? cases.find((one) => isDeepStrictEqual(one.request, request)) : named(name);
    const reply = chosen === undefined ? replyOfFirstSuccess(request) : replyOf(chosen);
    return fromJson(method.output, reply, { registry });
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
  function replyOfFirstSuccess(request: JsonValue): JsonObject {
    const first = cases.find(({ reply }) => reply !== undefined);
    if (first?.reply === undefined) return exampleOf(method.output);
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
