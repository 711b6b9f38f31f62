import type { CallParameters } from "../../../src/chat/operation-types.js";
import type { SuccessFields } from "../../../src/chat/server/handlers.js";
import { reusable } from "../../../src/chat/server/index.js";
import { nextSlice, runInSlices } from "../../../src/time-slices.js";
import { createMemo } from "../../storage/create-memo.js";
import type { LevelBehaviour } from "../level-behaviour.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { parseNarrow } from "./narrow/parse-narrow.js";
import { describePage } from "./page/describe-page.js";
import { fetchPage } from "./page/fetch-page.js";
import { readPageRequest } from "./page/page-request.js";
import { defaultBudget, type WorkBudget } from "./page/read-messages.js";

/**
 * Returns messages that match a narrow, by a range around an anchor or by ids (Get messages: GET /messages). Responds
 * synchronously unless the search takes more than one time slice.
 */
export function createGetMessages(
  { database, behaviour }: Pick<Services, "database" | "behaviour">,
  budget: WorkBudget = defaultBudget,
): Operation<"getMessages"> {
  const cached = createMemo<Answer | Promise<Answer>>(database, maxCachedPages, isWorthCaching);
  return ({ parameters, caller }) =>
    cached(`${caller.user.id} ${JSON.stringify(parameters)}`, () =>
      runInSlices(answer({ database, behaviour, budget }, parameters, caller), nextSlice),
    );
}

type Answer = SuccessFields<"getMessages">;

/** Maximum responses cached between two writes, and maximum messages and characters of each. */
const maxCachedPages = 200;
const maxCachedMessages = 100;
const maxCachedCharacters = 100_000;

/** A pending response is not cached, because writes may happen between its time slices. */
function isWorthCaching(found: Answer | Promise<Answer>): boolean {
  if (found instanceof Promise || found.messages.length > maxCachedMessages) return false;
  const texts = found.messages.flatMap(({ content, edit_history: history = [] }) => [
    content,
    ...history.flatMap(({ prev_content = "", prev_rendered_content = "" }) => [prev_content, prev_rendered_content]),
  ]);
  return texts.reduce((sum, { length }) => sum + length, 0) <= maxCachedCharacters;
}

interface Means {
  readonly database: Database;
  readonly behaviour: LevelBehaviour;
  readonly budget: WorkBudget;
}

function* answer(
  { database, behaviour, budget }: Means,
  parameters: CallParameters<"getMessages">,
  caller: Caller,
): Generator<void, SuccessFields<"getMessages">> {
  const request = readPageRequest(parameters, behaviour);
  const terms = parseNarrow({ database, behaviour }, caller, parameters.narrow ?? []);
  const content = (parameters.apply_markdown ?? true) ? "rendered" : "raw";
  const search = { caller, terms, content } as const;
  const page = yield* fetchPage(database, search, request, budget);
  const messages = yield* describePage(database, search, page.rows, {
    content,
    clientGravatar: parameters.client_gravatar ?? true,
    allowEmptyTopicName: parameters.allow_empty_topic_name ?? false,
  });
  return reusable({
    ...(page.anchor === undefined ? {} : { anchor: page.anchor }),
    found_newest: page.foundNewest,
    found_oldest: page.foundOldest,
    found_anchor: page.foundAnchor,
    // This server has no subscription plans that limit the history.
    ...(page.foundOldest ? { history_limited: false } : {}),
    messages,
  });
}
