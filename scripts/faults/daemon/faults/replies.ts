import type { DaemonBehaviour, Handlers } from "../behaviour.js";
import type { DaemonFault } from "../fault.js";

const selecting = ["case select-second-node"];
const both = ["select-node.returns-id", "select-node.returns-selected-ordinal"];

interface Selection {
  readonly id: number;
  readonly selectedOrdinal: number;
}

/** Selects the node and returns another reply. Each daemon gets a new function. */
function selectAnswers(create: () => (request: Selection) => Partial<Selection>): DaemonBehaviour {
  return {
    handlers: (honest) => {
      const reply = create();
      const selectNode: Handlers["selectNode"] = async (request, context) => {
        await honest.selectNode(request, context);
        return reply(request);
      };
      return { ...honest, selectNode };
    },
  };
}

/** Replies whose values differ from those that the contract fixes. */
export const replyFaults: readonly DaemonFault[] = [
  {
    name: "select-replies-empty",
    family: "replies",
    summary: "returns an empty message from SelectNode",
    breaks: both,
    checkedBy: selecting,
    behaviour: selectAnswers(() => () => ({})),
  },
  {
    name: "select-without-id",
    family: "replies",
    summary: "omits `id` in the reply of SelectNode",
    breaks: ["select-node.returns-id"],
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ selectedOrdinal }) => ({ selectedOrdinal })),
  },
  {
    name: "select-without-ordinal",
    family: "replies",
    summary: "omits `selected_ordinal` in the reply of SelectNode",
    breaks: ["select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ id }) => ({ id })),
  },
  {
    name: "select-repeated-replies-empty",
    family: "replies",
    summary: "returns an empty message from SelectNode if it repeats an earlier call",
    breaks: both,
    checkedBy: ["case select-repeated"],
    behaviour: selectAnswers(() => {
      const seen = new Set<string>();
      return ({ id, selectedOrdinal }) => {
        const call = `${id} ${selectedOrdinal}`;
        if (seen.has(call)) return {};
        seen.add(call);
        return { id, selectedOrdinal };
      };
    }),
  },
  {
    name: "select-other-id",
    family: "replies",
    summary: "returns the `id` of another network from SelectNode",
    breaks: ["select-node.returns-id"],
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ id, selectedOrdinal }) => ({ id: id + 1, selectedOrdinal })),
  },
  {
    name: "select-index-instead-of-ordinal",
    family: "replies",
    summary: "returns the index of the node from SelectNode instead of its ordinal",
    breaks: ["select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ id, selectedOrdinal }) => ({ id, selectedOrdinal: selectedOrdinal - 1 })),
  },
  {
    name: "select-negative-id",
    family: "replies",
    summary: "returns the negative of `id` from SelectNode",
    breaks: ["select-node.returns-id"],
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ id, selectedOrdinal }) => ({ id: -id, selectedOrdinal })),
  },
  {
    name: "select-fields-mixed-up",
    family: "replies",
    summary: "swaps the values of `id` and `selected_ordinal` in the reply of SelectNode",
    breaks: both,
    checkedBy: selecting,
    behaviour: selectAnswers(() => ({ id, selectedOrdinal }) => ({ id: selectedOrdinal, selectedOrdinal: id })),
  },
  {
    name: "select-reply-cached",
    family: "replies",
    summary: "always returns the first reply of SelectNode from a cache",
    breaks: ["select-node.returns-id"],
    checkedBy: ["case select-second-node", "case select-same-node"],
    behaviour: selectAnswers(() => {
      let first: Selection | undefined;
      return (request) => {
        first ??= request;
        return { id: first.id, selectedOrdinal: first.selectedOrdinal };
      };
    }),
  },
  {
    name: "select-previous-ordinal",
    family: "replies",
    summary: "returns the previous selection from SelectNode",
    breaks: ["select-node.returns-selected-ordinal"],
    checkedBy: selecting,
    behaviour: {
      handlers: (honest) => {
        const selections = new Map<number, number>();
        return {
          ...honest,
          applyImport: async (request, context) => {
            const { id = 0, selectedOrdinal = 0, importedCount = 0 } = await honest.applyImport(request, context);
            selections.set(id, selectedOrdinal);
            return { id, selectedOrdinal, importedCount };
          },
          selectNode: async (request, context) => {
            const { id, selectedOrdinal } = request;
            await honest.selectNode(request, context);
            const before = selections.get(id) ?? 0;
            selections.set(id, selectedOrdinal);
            return { id, selectedOrdinal: before };
          },
        };
      },
    },
  },
];
