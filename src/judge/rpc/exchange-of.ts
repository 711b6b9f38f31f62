import { type DescMethodUnary, fromBinary, type JsonObject } from "@bufbuild/protobuf";
import type { RpcMethod } from "../../contract/rpc/contract.js";
import { hasValue } from "../../contract/rpc/messages.js";
import type { Exchange } from "../exchange.js";
import type { RpcAnswer } from "./answer.js";
import { readableTexts } from "./readable-texts.js";
import { hasUnknownFieldLike, listUnknownFields } from "./unknown-fields.js";

/**
 * The result of a call of an RPC, with its name in the contract, as the runner sees it. Its facts are the texts that a caller can read, by surface, and `moved`: the empty fields
 * beside which an unknown field of the same wire type stands.
 */
export function exchangeOf({ rpc, method }: RpcMethod, answer: RpcAnswer): Exchange {
  const exchange = {
    path: rpc,
    request: "",
    text: "",
    bytes: new Uint8Array(),
    headers: new Headers(),
    body: undefined,
    isRefusal: false,
    contractProblems: () => [],
    facts: textsBySurface(answer),
  };
  const lost = { request: rpc, operation: rpc, rules: [] };
  switch (answer.kind) {
    case "reply": {
      const facts = {
        ...exchange.facts,
        // The bytes of recorded traffic may be lost, so they are read only if a matcher asks.
        get moved() {
          return movedFields(method, answer.reply, answer.bytes);
        },
      };
      return { ...exchange, status: "ok", body: answer.reply, bytes: answer.bytes, facts };
    }
    case "error": {
      const { code, message } = answer;
      return { ...exchange, status: code, body: { code, message }, isRefusal: true };
    }
    case "malformed": {
      if (answer.isCut) {
        const reason = `The server ended the connection in the middle of its answer: ${answer.text}`;
        const about = { ...lost, kind: "dropped" } as const;
        return { ...exchange, status: "unreachable", unusable: { reason, isAnswered: false, lost: about } };
      }
      const reason = `A call of ${rpc} got no answer of the RPC protocol`;
      return { ...exchange, status: "malformed", text: answer.text, unusable: { reason, isAnswered: true } };
    }
    case "too-large":
      return { ...exchange, status: "too-large", fault: answer.text };
    case "timeout": {
      const reason = `The server did not answer within ${answer.afterMs} ms`;
      const help = "Allow more time for a case with --timeout";
      return {
        ...exchange,
        status: "timeout",
        unusable: { reason, help, isAnswered: false, lost: { ...lost, kind: "timeout" } },
      };
    }
    case "unreachable": {
      const reason = `The server cannot be reached: ${answer.text}`;
      const { help, isDropped, isUnread } = answer;
      const about = { ...lost, kind: isDropped ? "dropped" : "unreachable", ...(isUnread && { isUnread }) } as const;
      return { ...exchange, status: "unreachable", unusable: { reason, help, isAnswered: false, lost: about } };
    }
  }
}

function textsBySurface(answer: RpcAnswer): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = { message: {}, details: {}, metadata: {}, reply: {} };
  for (const { surface, place, texts } of readableTexts(answer)) {
    const all = [found[surface]?.[place] ?? [], texts].flat();
    found[surface] = { ...found[surface], [place]: all.join("\n") };
  }
  return found;
}

function movedFields({ output }: DescMethodUnary, reply: JsonObject, bytes: Uint8Array): string[] {
  if (listUnknownFields(output, fromBinary(output, bytes)).length === 0) return [];
  const pointers = output.fields.flatMap(({ jsonName, message }) => [
    `/${jsonName}`,
    ...(message?.fields ?? []).map((field) => `/${jsonName}/*/${field.jsonName}`),
  ]);
  return pointers.filter((at) => !hasValue(output, reply, at) && hasUnknownFieldLike(output, bytes, at));
}
