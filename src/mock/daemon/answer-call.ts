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
import type { DaemonCase } from "../../contract/daemon/cases.js";
import type { CallContext } from "../../daemon/server/daemon-handlers.js";
import { preferredCase } from "../prefer.js";

/** Creates a handler that answers the calls of one RPC from its cases. */
export function createAnswerCall<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  allCases: readonly DaemonCase[],
): (request: MessageShape<Input>, context: Pick<CallContext, "requestHeader">) => MessageShape<Output> {
  const cases = allCases.filter(({ rpc }) => `proxydaemon.v1.${rpc}` === `${method.parent.typeName}/${method.name}`);
  return (message, { requestHeader }) => {
    const request = toJson<DescMessage>(method.input, message);
    const name = preferredCase(requestHeader.get("prefer"));
    const chosen = name === undefined ? cases.find((one) => isDeepStrictEqual(one.request, request)) : named(name);
    const reply = chosen === undefined ? replyOfFirstSuccess(request) : replyOf(chosen);
    return fromJson(method.output, reply);
  };

  function named(name: string): DaemonCase {
    const found = cases.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = cases.map((one) => one.name).join(", ");
    throw new ConnectError(`${method.name} has no case '${name}'. Cases: ${names}`, Code.InvalidArgument);
  }

  function replyOf({ error, reply = {} }: DaemonCase): JsonObject {
    if (error !== undefined) throw new ConnectError(error.message, codeFromString(error.code) ?? Code.Unknown);
    return reply;
  }

  /** The reply of the first successful case. Fields that repeat the request take their value from this request. */
  function replyOfFirstSuccess(request: unknown): JsonObject {
    const first = cases.find(({ reply }) => reply !== undefined);
    if (first?.reply === undefined) throw new ConnectError(`${method.name} has no successful case`, Code.Unimplemented);
    const given = new Map(Object.entries(request ?? {}));
    const repeated = (field: string, value: unknown) =>
      [...(first.exact ?? []), ...(first.filled ?? [])].includes(`/${field}`) &&
      isDeepStrictEqual(first.request[field], value);
    return Object.fromEntries(
      Object.entries(first.reply).flatMap(([field, value]) => {
        if (!repeated(field, value)) return [[field, value]];
        return given.has(field) ? [[field, given.get(field)]] : [];
      }),
    );
  }
}
