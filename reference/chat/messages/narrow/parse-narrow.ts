import { plainTopic } from "../../channels/topic-name.js";
import type { Caller, Services } from "../../services.js";
import { knownConversation } from "../destination.js";
import { invalidNarrow } from "./invalid-narrow.js";
import { contents, type NarrowMatch, type NarrowTerm, properties } from "./narrow-term.js";
import { boundUsers, readChannel, readId, readText, readUser, readUsers, readWord } from "./operands.js";
import { type Condition, type Narrow, readConditions } from "./read-conditions.js";
import { boundPhrases, readPhrases } from "./search-phrases.js";

type Means = Pick<Services, "database" | "behaviour">;

/** Operators whose operand may be several users. */
const ofUsers = new Set(["dm", "pm-with", "dm-including", "group-pm-with"]);

/**
 * Reads a narrow: its conditions, with the names in them looked up in the organization of the caller. Throws the refusal of an
 * operator or operand that is not known, and of too many conditions or words (Get messages, `narrow`).
 */
export function parseNarrow({ database, behaviour }: Means, caller: Caller, narrow: Narrow): NarrowTerm[] {
  const conditions = readConditions(narrow);
  boundUsers(conditions.flatMap(({ operator, operand }) => (ofUsers.has(operator) ? [operand] : [])));
  const terms = conditions.flatMap((condition) => {
    const match = parseCondition({ database, behaviour }, caller, condition);
    return match === "anything" ? [] : [{ ...match, negated: condition.negated }];
  });
  boundPhrases(terms.flatMap((term) => (term.kind === "search" ? term.phrases : [])));
  return terms;
}

function parseCondition(
  { database, behaviour }: Means,
  caller: Caller,
  { operator, operand }: Condition,
): NarrowMatch | "anything" {
  switch (operator) {
    case "channel":
    case "stream":
      return { kind: "channel", channelId: readChannel(database, caller, operator, operand) };
    case "channels":
    case "streams":
      readWord(operator, operand, ["public"]);
      return { kind: "public-channels" };
    case "topic":
    case "subject": {
      const topic = readText(operator, operand).trim();
      return { kind: "topic", topic: plainTopic(topic, caller.realm, behaviour.emptyTopics) };
    }
    case "sender":
    case "from":
      return { kind: "sender", userId: readUser(database, caller, operator, operand) };
    case "dm":
    case "pm-with": {
      const users = readUsers(database, caller, operator, operand);
      const { id, realm_id: realmId } = caller.user;
      return { kind: "direct", conversationId: knownConversation(database, realmId, [id, ...users]) };
    }
    case "dm-including":
    case "group-pm-with": {
      const userIds = readUsers(database, caller, operator, operand);
      return { kind: "direct-including", userIds, groupsOnly: operator === "group-pm-with" };
    }
    case "id":
      return { kind: "id", id: readId(operator, operand) };
    case "near":
      // It says where a client starts to read, and leaves nothing out.
      readId(operator, operand);
      return "anything";
    case "has":
      return { kind: "has", what: readWord(operator, operand, contents) };
    case "is":
      return { kind: "is", what: readWord(operator, operand === "private" ? "dm" : operand, properties) };
    case "search":
      return { kind: "search", phrases: readPhrases(readText(operator, operand)) };
    default:
      throw invalidNarrow("unknown operator");
  }
}
