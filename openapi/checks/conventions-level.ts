import { defineCheck } from "../../src/checks.js";

/** In code, because it is about whatever operations the level has. A run asks for them first, so nothing is left to send. */
export const conventionsLevel = defineCheck({
  id: "workflow conventions-level",
  operation: "conventions",
  summary: "A server has every operation that its feature level has",
  rules: ["server-settings.get.level-supports"],
  calls: (contract, level) =>
    Object.values(contract.paths).flatMap((item) =>
      [item.get, item.post, item.put, item.patch, item.delete, item.head].flatMap((operation) => {
        const { added = level } = operation?.["x-feature-level"] ?? {};
        // The requirements describe a server of a level only by the changes up to it.
        return operation !== undefined && added < level ? operation.operationId : [];
      }),
    ),
  run: async () => {},
});
