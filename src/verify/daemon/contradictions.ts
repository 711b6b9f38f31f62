import type { JsonObject } from "@bufbuild/protobuf";
import type { DaemonRule, Listing } from "../../contract/daemon/cases.js";
import type { DaemonRpc } from "../../contract/daemon/rpcs.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Problem } from "./compare-answer.js";

/**
 * What a reply says that cannot be, whatever the request: a count below 0, a count of entries without any entry,
 * or entries beyond their count.
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
          : [`${empty.list}: expected entries, since ${empty.count} is ${countAt(reply, empty.count)}, got none`]),
        ...(uncounted === undefined || lengthAt(reply, uncounted.list) <= countAt(reply, uncounted.count)
          ? []
          : [
              `${uncounted.count}: expected at least the ${lengthAt(reply, uncounted.list)} of ${uncounted.list}, got ${countAt(reply, uncounted.count)}`,
            ]),
      ];
      return texts.map((text) => ({ rules: [id], text }));
    });
}

/** Whether a list is empty although its entries are counted. What counts as which is open, so they may stand in the other list. */
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
