import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRule, Listing } from "../../contract/daemon/cases.js";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Problem } from "./compare-answer.js";

/**
 * Finds contradictions in a reply, whatever the request: a negative count, a positive count beside an empty list, or more entries than
 * their count.
 */
export function contradictionsIn(rpc: DaemonRpc, reply: JsonObject, rules: readonly DaemonRule[]): Problem[] {
  return rules
    .filter((rule) => rule.rpc === rpc)
    .flatMap(({ id, broken: { negative, empty, besides, uncounted } = {} }) => {
      const texts = [
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
