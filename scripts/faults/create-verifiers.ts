import { listChecks } from "./chat/plan-rounds.js";
import { verifyBehaviour } from "./chat/verify-behaviour.js";
import type { Subject, Tool } from "./tool.js";

/** `accord verify` with all checks, and Respect alone with the workflows that call the operations. */
export async function createVerifiers(): Promise<{ readonly accord: Tool; readonly respect: Tool }> {
  const workflows = (await listChecks()).filter(({ id }) => isWorkflow(id));
  const failedWorkflows = new WeakMap<Subject, readonly string[]>();
  return {
    accord: {
      name: "accord verify",
      report: async (subject) => {
        const { behaviour, reference, checkedBy } = subject;
        const failed = failedOf(await verifyBehaviour(behaviour, reference, { only: checkedBy }));
        failedWorkflows.set(subject, failed.filter(isWorkflow));
        return failed;
      },
      close: async () => {},
    },
    respect: {
      name: "Respect",
      report: async (subject) => {
        // If a workflow already failed in the full run, there is no need to repeat it.
        const known = failedWorkflows.get(subject) ?? [];
        if (known.length > 0) return known;
        const { behaviour, reference, operations } = subject;
        const only = workflows.filter(({ calls }) => operations.some((id) => calls.includes(id))).map(({ id }) => id);
        return only.length === 0 ? [] : failedOf(await verifyBehaviour(behaviour, reference, { only, bail: true }));
      },
      close: async () => {},
    },
  };
}

function isWorkflow(id: string): boolean {
  return id.startsWith("workflow ");
}

function failedOf(checks: Awaited<ReturnType<typeof verifyBehaviour>>): string[] {
  return checks.filter(({ outcome }) => outcome.kind === "failed").map(({ id }) => id);
}
