import type { CallParameters } from "../../../../src/chat/operation-types.js";
import { invalidNarrow } from "./invalid-narrow.js";

/** The parameter `narrow`. */
export type Narrow = NonNullable<CallParameters<"getMessages">["narrow"]>;

/** A condition as the client wrote it. */
export interface Condition {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

const mostConditions = 25;

/** Reads the conditions of a narrow, objects and pairs of texts alike. Throws the refusal of one that is neither, or of too many. */
export function readConditions(narrow: Narrow): Condition[] {
  if (narrow.length > mostConditions) throw invalidNarrow(`more than ${mostConditions} conditions`);
  return narrow.map((condition) => {
    if (Array.isArray(condition)) {
      const [operator, operand] = condition;
      if (condition.length !== 2 || operator === undefined) {
        throw invalidNarrow("an array must hold an operator and an operand");
      }
      return { operator, operand, negated: false };
    }
    const { operator, operand, negated = false } = condition as Partial<Record<string, unknown>>;
    if (typeof negated !== "boolean") throw invalidNarrow("negated must be true or false");
    return { operator: String(operator), operand, negated };
  });
}
