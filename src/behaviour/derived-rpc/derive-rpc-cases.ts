import type { JsonObject } from "@bufbuild/protobuf";
import { merged } from "../../contract/rpc/bindings.js";
import type { EarlierCall, RpcCase } from "../../contract/rpc/cases.js";
import { methodOf, type RpcMethod } from "../../contract/rpc/contract.js";
import type { RpcResource } from "../../contract/rpc/resources/find-rpc-resources.js";
import { exampleFor } from "../../contract/rpc/resources/message-values.js";
import { changed, refused, removed } from "./changes.js";
import { createdIsRead } from "./created.js";
import { notForOthers, repeated } from "./guards.js";
import { listed } from "./listed.js";
import type { RpcContext } from "./make-rpc-thing.js";
import { rpcDerivedRule } from "./rpc-derived-rules.js";
import { type About, type Draft, makeKept, nested } from "./rpc-draft.js";

/** The steps that show that a service keeps what it is sent. Undefined if nothing can show that. */
export function keptBy(context: RpcContext, { method }: RpcMethod): readonly EarlierCall[] | undefined {
  const own = context.all.filter(({ create }) => create?.method.parent.typeName === method.parent.typeName);
  for (const resource of own) {
    const kept = makeKept({ context, resource }, { id: "kept" });
    if (kept !== undefined) return kept.given;
  }
  return undefined;
}

/** Derives the workflows of a resource. */
export function deriveRpcCases(context: RpcContext, resource: RpcResource): RpcCase[] {
  const about = { context, resource };
  const drafts = [
    ...[...createdIsRead(about), ...listed(about), ...changed(about), ...removed(about), ...refused(about)],
    ...[...repeated(about), ...notForOthers(about)],
  ];
  return drafts.map(({ kind, name, depth, ...draft }, index) => ({
    ...draft,
    request: withExample(about, { kind, depth, ...draft }, index + 1),
    name: `${resource.name}-${name ?? kind}`,
    rule: rpcDerivedRule(resource, kind).id,
    derived: { kind: "workflow", depth },
  }));
}

/** The request with another example of what is bound for each case, so that a mock can tell them apart. */
function withExample({ context }: About, { rpc, bind = {}, request }: Draft, nth: number): JsonObject {
  const { input } = methodOf(context.contract, rpc);
  return Object.keys(bind).reduce((message, field) => {
    const path = field.split(".");
    return merged(message, nested(path, exampleFor(input, path, nth)));
  }, request);
}
