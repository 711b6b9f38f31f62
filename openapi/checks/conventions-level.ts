import { defineCheck } from "../../src/checks.js";
import { listOperations } from "../../src/contract/rest/operations.js";

/** In code, because it is about whatever operations the level has. A run asks for them first, so nothing is left to send. */
export const conventionsLevel = defineCheck({
  id: "workflow conventions-level",
  operation: "conventions",
  summary: "A server has every operation that its feature level has",
  rules: ["server-settings.get.level-supports"],
  calls: (contract, level) =>
    listOperations(contract).flatMap(({ operation }) => {
      const { added = level } = operation["x-feature-level"] ?? {};
      // The requirements promise a server of a level only what came before it.
      return added < level ? operation.operationId : [];
    }),
  run: async () => {},
});
