import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule } from "../../contract/daemon/cases.js";
import { hasValue } from "../../contract/daemon/evidence.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Answer, Problem } from "./answer.js";
import { fullReply } from "./create-call.js";
import { hasUnknownFieldLike } from "./unknown-fields.js";

type Reply = Extract<Answer, { readonly kind: "reply" }>;

/**
 * Finds contradictions in a reply, whatever the request: a negative count. In cases that name the rule, also a list whose length is not
 * its count; in cases whose reply has a field, also a reply that has it at another number.
 */
export function contradictionsIn(one: DaemonCase, { reply, bytes }: Reply, rules: readonly DaemonRule[]): Problem[] {
  const named = new Set([one.rule, ...(one.also ?? [])]);
  const isMoved = (pointer: string) =>
    one.reply !== undefined &&
    hasValue(fullReply(one.rpc, one.reply), pointer) &&
    !hasValue(reply, pointer) &&
    hasUnknownFieldLike(one.rpc, bytes, pointer);
  return rules
    .filter((rule) => rule.rpc === one.rpc)
    .flatMap(({ id, broken: { negative, misplaced, miscounted = [] } = {} }) => {
      const texts = [
        ...(misplaced === undefined || !isMoved(misplaced)
          ? []
          : [`${misplaced}: expected the number of the contract, got an unknown field of its wire type instead`]),
        ...miscounted.flatMap(({ list, count }) =>
          !named.has(id) || lengthAt(reply, list) === countAt(reply, count)
            ? []
            : [`${count}: expected the length of ${list}, ${lengthAt(reply, list)}, got ${countAt(reply, count)}`],
        ),
        ...(negative === undefined || countAt(reply, negative) >= 0
          ? []
          : [`${negative}: expected a count, got ${countAt(reply, negative)}`]),
      ];
      return texts.map((text) => ({ rules: [id], text }));
    });
}

function countAt(reply: JsonObject, pointer: string): number {
  const value = valueAt(reply, pointer);
  return typeof value === "number" ? value : 0;
}

function lengthAt(reply: JsonObject, pointer: string): number {
  const value = valueAt(reply, pointer);
  return Array.isArray(value) ? value.length : 0;
}
