import { defineCheck } from "../../src/checks.js";
import { listOperations } from "../../src/contract/rest/operations.js";

/** In code, because it calls whatever operations the level has. */
export const conventionsLevel = defineCheck({
  id: "workflow conventions-level",
  operation: "conventions",
  summary: "A server has every operation that its feature level has",
  rules: ["server-settings.get.level-supports"],
  run: async ({ contract, level, send, fail }) => {
    for (const { operation, method, path } of listOperations(contract)) {
      const { added = level } = operation["x-feature-level"] ?? {};
      // The requirements promise a server of a level only what came before it. The tus protocol may be refused by version.
      if (added >= level || operation["x-protocol"] !== undefined) continue;
      const url = `/api/v1${path.replace(/\{\w+\}/g, "1")}`;
      const { status } = await send({ method: method.toUpperCase(), url });
      if ([404, 405, 501].includes(status)) fail(`the server has no ${operation.operationId}: status ${status}`);
    }
  },
});
