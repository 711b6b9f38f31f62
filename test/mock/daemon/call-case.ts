import { fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, Code, ConnectError } from "@connectrpc/connect";
import type { RpcCase } from "../../../src/contract/rpc/cases.js";
import type { DaemonRpc } from "../../../src/daemon/daemon-methods.js";
import {
  type DaemonClient,
  LoginCancelRequestSchema,
  ProxySubscriptionApplyRequestSchema,
  ProxySubscriptionApplyResponseSchema,
  ProxySubscriptionImportRequestSchema,
  ProxySubscriptionPreviewResponseSchema,
  ProxySubscriptionSelectRequestSchema,
  ProxySubscriptionSelectResponseSchema,
} from "../../../src/daemon/index.js";

/** The result of a call, in the format of a case. */
export type Outcome = Pick<RpcCase, "reply" | "error">;

type Call = (client: DaemonClient, request: JsonObject, options?: CallOptions) => Promise<JsonValue>;

const calls: Readonly<Record<DaemonRpc, Call>> = {
  "ProxySubscriptions/PreviewImport": async ({ proxySubscriptions }, json, options) =>
    toJson(
      ProxySubscriptionPreviewResponseSchema,
      await proxySubscriptions.previewImport(fromJson(ProxySubscriptionImportRequestSchema, json), options),
    ),
  "ProxySubscriptions/ApplyImport": async ({ proxySubscriptions }, json, options) =>
    toJson(
      ProxySubscriptionApplyResponseSchema,
      await proxySubscriptions.applyImport(fromJson(ProxySubscriptionApplyRequestSchema, json), options),
    ),
  "ProxySubscriptions/SelectNode": async ({ proxySubscriptions }, json, options) =>
    toJson(
      ProxySubscriptionSelectResponseSchema,
      await proxySubscriptions.selectNode(fromJson(ProxySubscriptionSelectRequestSchema, json), options),
    ),
  "MeshControlService/LoginCancel": async ({ meshControl }, json, options) =>
    toJson(EmptySchema, await meshControl.loginCancel(fromJson(LoginCancelRequestSchema, json), options)),
};

/** Calls an RPC with ProtoJSON and returns the reply as ProtoJSON or the error. */
export async function callRpc(
  client: DaemonClient,
  rpc: DaemonRpc,
  request: JsonObject,
  options?: CallOptions,
): Promise<unknown> {
  try {
    return { reply: await calls[rpc](client, request, options) };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    return { error: { code: codeName(error.code), message: error.rawMessage } };
  }
}

/** The result that a case specifies. */
export function outcomeOf({ reply, error }: RpcCase): Outcome {
  return { ...(reply === undefined ? {} : { reply }), ...(error === undefined ? {} : { error }) };
}

/** `Code.NotFound` is `not_found` in cases and in Connect's JSON. */
function codeName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
