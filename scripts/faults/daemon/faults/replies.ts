import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node"];
const both = ["select-node.returns-id", "select-node.returns-selected-ordinal"];

/** Replies whose values differ from those that the contract fixes. */
export const replyFaults: readonly DaemonFault[] = ofFamily("replies", [
  fault("select-replies-empty", "returns an empty message from SelectNode")
    .breaks(...both)
    .checkedBy(...selecting)
    .afterSelect(() => ({ id: 0, selectedOrdinal: 0 })),
  fault("select-without-id", "omits `id` in the reply of SelectNode")
    .breaks("select-node.returns-id")
    .checkedBy(...selecting)
    .afterSelect(() => ({ id: 0 })),
  fault("select-without-ordinal", "omits `selected_ordinal` in the reply of SelectNode")
    .breaks("select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .afterSelect(() => ({ selectedOrdinal: 0 })),
  fault("select-repeated-replies-empty", "returns an empty message from SelectNode if it repeats an earlier call")
    .breaks(...both)
    .checkedBy("case select-repeated")
    .networks(({ select }) => {
      const seen = new Set<string>();
      return {
        select: async (request, context) => {
          const reply = await select(request, context);
          const call = `${reply.id} ${reply.selectedOrdinal}`;
          const isRepeated = seen.has(call);
          seen.add(call);
          return isRepeated ? {} : reply;
        },
      };
    }),
  fault("select-other-id", "returns the `id` of another network from SelectNode")
    .breaks("select-node.returns-id")
    .checkedBy(...selecting)
    .afterSelect(({ id }) => ({ id: id + 1 })),
  fault("select-index-instead-of-ordinal", "returns the index of the node from SelectNode instead of its ordinal")
    .breaks("select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .afterSelect(({ selectedOrdinal }) => ({ selectedOrdinal: selectedOrdinal - 1 })),
  fault("select-negative-id", "returns the negative of `id` from SelectNode")
    .breaks("select-node.returns-id")
    .checkedBy(...selecting)
    .afterSelect(({ id }) => ({ id: -id })),
  fault("select-fields-mixed-up", "swaps the values of `id` and `selected_ordinal` in the reply of SelectNode")
    .breaks(...both)
    .checkedBy(...selecting)
    .afterSelect(({ id, selectedOrdinal }) => ({ id: selectedOrdinal, selectedOrdinal: id })),
  fault("select-reply-cached", "always returns the first reply of SelectNode from a cache")
    .breaks("select-node.returns-id")
    .checkedBy("case select-second-node", "case select-same-node")
    .networks(({ select }) => {
      let first: ReturnType<typeof select> | undefined;
      return {
        select: async (request, context) => {
          const reply = select(request, context);
          first ??= reply;
          await reply;
          return first;
        },
      };
    }),
  fault("select-previous-ordinal", "returns the previous selection from SelectNode")
    .breaks("select-node.returns-selected-ordinal")
    .checkedBy(...selecting)
    .networks(({ apply, select }) => {
      const selections = new Map<number, number>();
      return {
        apply: async (request, context) => {
          const reply = await apply(request, context);
          selections.set(reply.id, reply.selectedOrdinal);
          return reply;
        },
        select: async (request, context) => {
          const { id, selectedOrdinal } = await select(request, context);
          const before = selections.get(id) ?? 0;
          selections.set(id, selectedOrdinal);
          return { id, selectedOrdinal: before };
        },
      };
    }),
]);
