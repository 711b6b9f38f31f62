import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { findMessages } from "./narrow/find-messages.js";
import { type NarrowTerm, parseNarrow } from "./narrow/parse-narrow.js";
import { readPageRequest } from "./page/page-request.js";
import { readPage } from "./page/read-page.js";

/** Returns messages that match a narrow, by a range around an anchor or by ids (Get messages: GET /messages). */
export function createGetMessages({
  database,
  behaviour,
}: Pick<Services, "database" | "behaviour">): Operation<"getMessages"> {
  return async ({ parameters, caller }) => {
    const request = readPageRequest(parameters, behaviour);
    const wanted = await parseNarrow({ database, behaviour }, caller, parameters.narrow ?? []);
    const { first_visible_message_id: firstVisible } = caller.realm;
    const terms =
      firstVisible === 0 ? wanted : [...wanted, { kind: "visible", from: firstVisible, negated: false } as const];
    const format = {
      content: (parameters.apply_markdown ?? true) ? "rendered" : "raw",
      clientGravatar: parameters.client_gravatar ?? true,
      allowEmptyTopicName: parameters.allow_empty_topic_name ?? false,
    } as const;
    const page = await readPage(database, caller, { search: { user: caller.user, terms }, request, format });
    return {
      ...(page.anchor === undefined ? {} : { anchor: page.anchor }),
      found_newest: page.foundNewest,
      found_oldest: page.foundOldest,
      found_anchor: page.foundAnchor,
      // Always sent, because many typed clients of this family require it.
      history_limited: page.foundOldest && (await isCut(database, caller, wanted)),
      messages: page.messages,
    };
  };
}

/** Whether the plan of the organization hides messages that match. */
async function isCut(
  database: Database,
  { user, realm: { first_visible_message_id: firstVisible } }: Caller,
  terms: readonly NarrowTerm[],
): Promise<boolean> {
  if (firstVisible === 0) return false;
  const hidden = await findMessages(database, { user, terms }, [{ below: firstVisible, max: 1 }]);
  return hidden.length > 0;
}
