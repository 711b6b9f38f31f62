import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { parseUrl } from "../../src/base/parse-url.js";
import type { RpcCase } from "../../src/contract/rpc/cases.js";
import { fullMessage } from "../../src/contract/rpc/messages.js";
import { methodOf } from "../../src/daemon/daemon-methods.js";
import { redactUrl } from "../../src/secrets/redact-url.js";
import type { Performance } from "./perform-case.js";

/**
 * Compares the response of a daemon with the whole case, more strictly than the contract requires: every field of the reply, or code
 * and message of the error. Only ids and the host of the URL may differ. Returns a sentence if anything else does. `one` is the original
 * case.
 */
export function compareExactly(one: RpcCase, { call, outcome }: Performance): string[] {
  if (call === undefined) return [`expected a response, got ${JSON.stringify(outcome)}`];
  const { answer, request } = call;
  const got =
    answer.kind === "reply"
      ? { reply: answer.reply }
      : answer.kind === "error"
        ? { error: { code: answer.code, message: answer.message } }
        : { answer };
  const want =
    one.error === undefined
      ? { reply: wantedReply(one, request, got.reply?.id) }
      : { error: wantedError(one, request) };
  return isDeepStrictEqual(got, want) ? [] : [`expected ${JSON.stringify(want)}, got ${JSON.stringify(got)}`];
}

function wantedReply({ rpc, reply = {}, request: example }: RpcCase, request: JsonObject, newId: unknown): JsonObject {
  const wanted = { ...fullMessage(methodOf(rpc).output, reply) };
  const { hostname } = parseUrl(String(example.url)) ?? { hostname: undefined };
  if (wanted.suggestedName === hostname && hostname !== undefined)
    wanted.suggestedName = new URL(String(request.url)).hostname;
  if (reply.id === example.id && request.id !== undefined) wanted.id = request.id;
  // The daemon chooses the id of a new network.
  else if (typeof newId === "number" && newId > 0) wanted.id = newId;
  return wanted;
}

function wantedError({ error, request: example }: RpcCase, request: JsonObject): RpcCase["error"] {
  const { code = "", message = "" } = error ?? {};
  const [host, localHost] = [example.url, request.url].map((url) => redactUrl(String(url ?? "")));
  return {
    code,
    message: message.replace(`(${host})`, `(${localHost})`).replace(`Network ${example.id} `, `Network ${request.id} `),
  };
}
