import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonCase, DaemonRule, Listing } from "../../contract/daemon/cases.js";
import { hasValue } from "../../contract/daemon/evidence.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Answer, Problem } from "./answer.js";
import { fullReply } from "./create-call.js";
import { hasUnknownFieldLike } from "./unknown-fields.js";

type Reply = Extract<Answer, { readonly kind: "reply" }>;

/**
 * Finds contradictions in a reply, whatever the request: a negative count, a positive count beside an empty list, or more entries than
 * their count. In cases that name the rule, also a list whose length is not its count; in cases whose reply has a field, also a reply
 * that has it at another number.
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
    .flatMap(({ id, broken: { negative, empty, besides, uncounted, misplaced, miscounted = [] } = {} }) => {
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
        ...(empty === undefined || besides === undefined || !lacksEntries(reply, empty, besides)
          ? []
          : [`${empty.list}: expected entries, because ${empty.count} is ${countAt(reply, empty.count)}, got none`]),
        ...(uncounted === undefined || lengthAt(reply, uncounted.list) <= countAt(reply, uncounted.count)
          ? []
          : [
              `${uncounted.count}: expected at least the ${lengthAt(reply, uncounted.list)} of ${uncounted.list}, got ${countAt(reply, uncounted.count)}`,
            ]),
      ];
      return texts.map((text) => ({ rules: [id], text }));
    });
}

/** Whether a list is empty although its count is positive. The contract leaves open which list an entry belongs to, so both count. */
function lacksEntries(reply: JsonObject, { list, count }: Listing, other: Listing): boolean {
  const [own, others] = [countAt(reply, count), countAt(reply, other.count)];
  return own > 0 && lengthAt(reply, list) === 0 && own + Math.max(others, 0) > lengthAt(reply, other.list);
}

function countAt(reply: JsonObject, pointer: string): number {
  const value = valueAt(reply, pointer);
  return typeof value === "number" ? value : 0;
}

function lengthAt(reply: JsonObject, pointer: string): number {
  const value = valueAt(reply, pointer);
  return Array.isArray(value) ? value.length : 0;
}
