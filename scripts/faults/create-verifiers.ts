import type { CheckResult } from "../../src/report/model/check-result.js";
import { verifyBehaviour } from "./chat/verify-behaviour.js";
import type { Subject, Tool } from "./tool.js";

/** `accord verify`, plain and strict, with the checks that concern a subject. */
export function createVerifiers(): Readonly<Record<"accord" | "strict", Tool>> {
  const verified = new WeakMap<Subject, Promise<readonly CheckResult[]>>();
  /** Verifies a subject once for all tools. */
  const verify = (subject: Subject): Promise<readonly CheckResult[]> => {
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
  };
}

function idsOf(checks: readonly CheckResult[], kinds: readonly CheckResult["outcome"]["kind"][]): string[] {
  return checks.filter(({ outcome }) => kinds.includes(outcome.kind)).map(({ id }) => id);
}
