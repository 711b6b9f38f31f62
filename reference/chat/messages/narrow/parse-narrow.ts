import type { CallParameters } from "../../../../src/chat/operation-types.js";
import { normalizeTopic } from "../../channels/topics.js";
import type { Caller, Services } from "../../services.js";
import { findConversation } from "../destination.js";
import {
  checkPhraseLength,
  checkUserCount,
  invalidNarrow,
  readChannel,
  readPhrases,
  readText,
  readUser,
  readUsers,
  readWord,
} from "./operands.js";

/** A condition of a narrow, with names resolved to ids of the caller's organization. */
export type NarrowMatch =
  | { readonly kind: "channel"; readonly channelId: number }
  | { readonly kind: "public-channels" }
  | { readonly kind: "topic"; readonly topic: string }
  | { readonly kind: "sender"; readonly userId: number }
  /** The direct messages of exactly these users; no conversation if they have never written to each other, or if there are none. */
  | { readonly kind: "direct"; readonly conversationId: number | undefined }
  /** The messages that the plan of the organization does not hide. No operator has this meaning. */
  | { readonly kind: "visible"; readonly from: number }
  | { readonly kind: "is"; readonly what: (typeof properties)[number] }
  | { readonly kind: "search"; readonly phrases: readonly string[] };

/** One condition of a narrow. */
export type NarrowTerm = NarrowMatch & { readonly negated: boolean };

/** Operands of `is`. */
const properties = ["dm", "mentioned", "muted", "resolved", "unread"] as const;

type Means = Pick<Services, "database" | "behaviour">;

/**
 * Reads a narrow and resolves its names in the organization of the caller. Throws a refusal for an unknown operator or operand,
 * and for too many conditions or words (Get messages, `narrow`).
 */
export async function parseNarrow(
  { database, behaviour }: Means,
  caller: Caller,
  narrow: Narrow,
): Promise<NarrowTerm[]> {
  const conditions = readConditions(narrow);
  checkUserCount(conditions.flatMap(({ operator, operand }) => (operator === "dm" ? [operand] : [])));
  const terms: NarrowTerm[] = [];
  for (const condition of conditions) {
    const match = await parseCondition({ database, behaviour }, caller, condition);
    terms.push({ ...match, negated: condition.negated });
  }
  checkPhraseLength(terms.flatMap((term) => (term.kind === "search" ? term.phrases : [])));
  return terms;
}

async function parseCondition(
  { database, behaviour }: Means,
  caller: Caller,
  { operator, operand }: Condition,
): Promise<NarrowMatch> {
  switch (operator) {
    case "channel":
    case "stream":
      return { kind: "channel", channelId: await readChannel(database, caller, operator, operand) };
    case "channels":
    case "streams":
      readWord(operator, operand, ["public"]);
      return { kind: "public-channels" };
    case "topic": {
      const topic = readText(operator, operand).trim();
      return { kind: "topic", topic: normalizeTopic(topic, caller.realm, behaviour.emptyTopics) };
    }
    case "sender":
      return { kind: "sender", userId: await readUser(database, caller, operator, operand) };
    case "dm": {
      const users = await readUsers(database, caller, operator, operand);
      const { id, realm_id: realmId } = caller.user;
      const isNobody = users.length === 0;
      const found = isNobody ? undefined : await findConversation(database, realmId, [id, ...users]);
      return { kind: "direct", conversationId: found };
    }
    case "is":
      return { kind: "is", what: readWord(operator, operand, properties) };
    case "search":
      return { kind: "search", phrases: readPhrases(readText(operator, operand)) };
    default:
      throw invalidNarrow("unknown operator");
  }
}

/** The parameter `narrow`. */
type Narrow = NonNullable<CallParameters<"getMessages">["narrow"]>;

/** A condition as sent by the client. */
interface Condition {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated: boolean;
}

const maxConditions = 25;

/**
 * Reads the conditions of a narrow, which are objects or pairs of strings. Throws a refusal for any other form and for too many
 * conditions.
 */
function readConditions(narrow: Narrow): Condition[] {
  if (narrow.length > maxConditions) throw invalidNarrow(`it has more than ${maxConditions} conditions`);
  return narrow.map((condition) => {
    if (Array.isArray(condition)) {
      const [operator, operand] = condition;
      if (condition.length !== 2 || operator === undefined) {
        throw invalidNarrow("an array must contain an operator and an operand");
      }
      return { operator, operand, negated: false };
    }
    const { operator, operand, negated = false } = condition as Partial<Record<string, unknown>>;
    if (typeof negated !== "boolean") throw invalidNarrow("negated must be true or false");
    return { operator: String(operator), operand, negated };
  });
}
