import type { CallParameters } from "../../../src/chat/operation-types.js";
import type { SuccessFields } from "../../../src/chat/server/handlers.js";
import { reusable } from "../../../src/chat/server/index.js";
import { runInSlices as inTurns, nextSlice as nextTurn } from "../../../src/time-slices.js";
import { createMemo } from "../../storage/create-memo.js";
import type { LevelBehaviour } from "../level-behaviour.js";
import type { Caller, Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { parseNarrow } from "./narrow/parse-narrow.js";
import { describePage } from "./page/describe-page.js";
import { fetchPage } from "./page/fetch-page.js";
import { readPageRequest } from "./page/read-page-request.js";
import { type TurnSize, usualTurn } from "./page/turn.js";

/**
 * Returns messages that match a narrow, by a range around an anchor or by their ids (Get messages: GET /messages). The answer is
 * there at once unless it takes more than a turn to find the messages.
 */
export function createGetMessages(
  { database, behaviour }: Pick<Services, "database" | "behaviour">,
  turnSize: TurnSize = usualTurn,
): Operation<"getMessages"> {
  const remembered = createMemo<Answer | Promise<Answer>>(database, mostRemembered, isWorthRemembering);
  return ({ parameters, caller }) =>
    remembered(`${caller.user.id} ${JSON.stringify(parameters)}`, () =>
      inTurns(answer({ database, behaviour, turnSize }, parameters, caller), nextTurn),
    );
}

type Answer = SuccessFields<"getMessages">;

/** How many answers are remembered while nothing is written, each of so many messages and characters at most. */
const mostRemembered = 200;
const mostMessages = 100;
const mostCharacters = 100_000;

/** Writes may fall between the turns of an answer that is still to come. */
function isWorthRemembering(found: Answer | Promise<Answer>): boolean {
  if (found instanceof Promise || found.messages.length > mostMessages) return false;
  const texts = found.messages.flatMap(({ content, edit_history: history = [] }) => [
    content,
    ...history.flatMap(({ prev_content = "", prev_rendered_content = "" }) => [prev_content, prev_rendered_content]),
  ]);
  return texts.reduce((sum, { length }) => sum + length, 0) <= mostCharacters;
}

interface Means {
  readonly database: Database;
  readonly behaviour: LevelBehaviour;
  readonly turnSize: TurnSize;
}

function* answer(
  { database, behaviour, turnSize }: Means,
  parameters: CallParameters<"getMessages">,
  caller: Caller,
): Generator<void, SuccessFields<"getMessages">> {
  const request = readPageRequest(parameters, behaviour);
  const terms = parseNarrow({ database, behaviour }, caller, parameters.narrow ?? []);
  const content = (parameters.apply_markdown ?? true) ? "rendered" : "raw";
  const search = { caller, terms, content } as const;
  const page = yield* fetchPage(database, search, request, turnSize);
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
    // No plan cuts the history.
    ...(page.foundOldest ? { history_limited: false } : {}),
    messages,
  });
}
