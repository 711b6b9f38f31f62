import { canAccessChannel, findChannel } from "../../access/find-channel.js";
import { findMessage } from "../../access/find-message.js";
import { isInGroup } from "../../access/membership.js";
import { secondsNow } from "../../clock.js";
import { badRequest } from "../../refusals.js";
import type { Caller, Operation, Services } from "../../services.js";
import type { Attachment, Message } from "../../storage/tables.js";
import { checkWildcardMentions } from "../mentions.js";
import { renderContent } from "../render-content.js";
import { reindexMessages } from "../search-index.js";
import { announceMove } from "./announce-move.js";
import { type ContentChange, storeContent } from "./edit-content.js";
import { checkHistoryForEdit, checkHistoryForMove, recordEdits } from "./edit-history.js";
import { idsToMove, moveMessages } from "./move-messages.js";
import { checkMoveLimit, contentRefusal, moveLimit, moveRefusal } from "./permissions.js";
import { checkPreviousContent, type Move, requestedChanges } from "./requested-changes.js";

/**
 * Edits the content of a message, or moves messages, or both. Checks the message, the parameters, the permission to edit and
 * the permission to move, in this order. If any check fails, nothing changes.
 *
 * Rule: "Edit a message".
 */
export function createEditMessage(services: Services): Operation<"editMessage"> {
  const { database, clock, behaviour } = services;
  return async ({ parameters, caller }) => {
    const { user, realm } = caller;
    const target = await findMessage(database, user, parameters.message_id);
    if (target === undefined) throw badRequest("Invalid message(s)");
    const { content, move } = requestedChanges(parameters, target, realm, behaviour);
    checkPreviousContent(parameters.prev_content_sha256, target.content);
    const now = secondsNow(clock, realm);

    const change =
      content === undefined ? undefined : await checkContentChange(services, caller, { target, content, now });
    const ids = move === undefined ? [target.id] : await checkMove(services, caller, { target, move, now });

    const contentOf = change && target.id;
    await recordEdits(database, { realmId: realm.id, userId: user.id, now, ids, contentOf, move });
    const detached = change === undefined ? [] : await storeContent(services, caller, change);
    if (move !== undefined) await moveMessages(database, { realmId: realm.id, ids, move, now });
    if (change !== undefined || move?.changesTopic) await reindexMessages(database, realm.id, ids);
    if (move !== undefined) {
      await announceMove(services, caller, {
        move,
        count: ids.length,
        notifyOld: parameters.send_notification_to_old_thread,
        notifyNew: parameters.send_notification_to_new_thread,
      });
    }
    return { detached_uploads: detached.map(detachedUpload) };
  };
}

/** Renders new content. Throws a refusal if the caller may not write it. */
async function checkContentChange(
  services: Services,
  caller: Caller,
  { target, content, now }: Omit<ContentChange, "rendered">,
): Promise<ContentChange> {
  const { user, realm } = caller;
  const isSender = target.sender_id === user.id;
  const refusal = contentRefusal({ settings: realm, isSender, ageSeconds: now - target.sent_at });
  if (refusal !== undefined) throw badRequest(refusal);
  await checkHistoryForEdit(services.database, target);
  const rendered = await renderContent(services.database, user, content);
  if (target.channel_id !== null) {
    await checkWildcardMentions(services, caller, rendered, { channelId: target.channel_id, topic: target.topic });
  }
  return { target, content, rendered, now };
}

/** Returns the ids of the messages to move. Throws a refusal if the caller may not move them. */
async function checkMove(
  { database, behaviour }: Services,
  { user, realm }: Caller,
  { target, move, now }: { readonly target: Message; readonly move: Move; readonly now: number },
): Promise<number[]> {
  for (const channelId of move.changesChannel ? [move.toChannelId, move.fromChannelId] : [move.fromChannelId]) {
    const channel = await findChannel(database, user, channelId);
    if (channel === undefined || !(await canAccessChannel(database, user, channel)))
      throw badRequest("Invalid channel ID");
  }
  const refusal = moveRefusal({
    settings: realm,
    behaviour,
    move,
    isIn: {
      canResolveTopics: await isInGroup(database, user, realm.can_resolve_topics_group),
      canMoveBetweenTopics: await isInGroup(database, user, realm.can_move_messages_between_topics_group),
      canMoveBetweenChannels: await isInGroup(database, user, realm.can_move_messages_between_channels_group),
    },
  });
  if (refusal !== undefined) throw badRequest(refusal);
  const ids = await idsToMove(database, user, target.id, move);
  const limit = moveLimit({ settings: realm, behaviour, caller: user, move });
  if (limit !== undefined) await checkMoveLimit(database, behaviour, { caller: user, move, ids, limit, now });
  await checkHistoryForMove(database, realm.id, ids);
  return ids;
}

function detachedUpload({ id, name, path_id, size, created_at_ms }: Attachment) {
  return { id, name, path_id, size, create_time: created_at_ms, messages: [] };
}

/**
 * Accepts that the caller starts or stops typing while editing one of their messages. Notifies no one, because events
 * are not part of the contract. Rule: "Typing status for editing".
 */
export function createSetEditTypingStatus({ database }: Services): Operation<"setEditTypingStatus"> {
  return async ({ parameters, caller }) => {
    const message = await findMessage(database, caller.user, parameters.message_id);
    if (message === undefined) throw badRequest("Invalid message(s)");
    if (message.sender_id !== caller.user.id) throw badRequest("You don't have permission to edit this message");
    return undefined;
  };
}
