import type { Check } from "../../src/verify/check.js";
import { listChecks } from "./chat/plan-rounds.js";
import { verifyBehaviour } from "./chat/verify-behaviour.js";
import type { Subject, Tool } from "./tool.js";

/** `accord verify` with all checks, plain and strict, and Respect alone with the workflows that call the operations. */
export async function createVerifiers(): Promise<Readonly<Record<"accord" | "strict" | "respect", Tool>>> {
  const workflows = (await listChecks()).filter(({ id }) => isWorkflow(id));
  const verified = new WeakMap<Subject, Promise<readonly Check[]>>();
  /** Verifies a subject once for all tools. */
  const verify = (subject: Subject): Promise<readonly Check[]> => {
    const { behaviour, reference, checkedBy } = subject;
    const checks = verified.get(subject) ?? verifyBehaviour(behaviour, reference, { only: checkedBy });
    verified.set(subject, checks);
    return checks;
  };
  return {
    accord: {
      name: "accord verify",
      report: async (subject) => idsOf(await verify(subject), ["failed"]),
      close: async () => {},
    },
    strict: {
      name: "accord verify --strict",
      report: async (subject) => idsOf(await verify(subject), ["failed", "deviated"]),
      close: async () => {},
    },
    respect: {
      name: "Respect",
      report: async (subject) => {
        // If a workflow already failed in the full run, there is no need to repeat it.
        const known = idsOf(await verify(subject), ["failed", "deviated"]).filter(isWorkflow);
        if (known.length > 0) return known;
        const { behaviour, reference, operations } = subject;
        const only = workflows
          .filter(({ reaches }) => operations.some((id) => reaches.includes(id)))
          .map(({ id }) => id);
        if (only.length === 0) return [];
        // Respect does not know which expectations are recommendations.
        return idsOf(await verifyBehaviour(behaviour, reference, { only, bail: true }), ["failed", "deviated"]);
      },
      close: async () => {},
    },
  };
}

function isWorkflow(id: string): boolean {
  return id.startsWith("workflow ");
}

function idsOf(checks: readonly Check[], kinds: readonly Check["outcome"]["kind"][]): string[] {
  return checks.filter(({ outcome }) => kinds.includes(outcome.kind)).map(({ id }) => id);
}
