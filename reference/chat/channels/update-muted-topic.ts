import type { Selectable } from "kysely";
import { findChannel, findChannelByName, isSubscribed } from "../access/find-channel.js";
import { badRequest } from "../refusals.js";
import type { Caller, Operation, Services } from "../services.js";
import { countRows, type Database, keyOf } from "../storage/database.js";
import type { Channel, Tables } from "../storage/tables.js";
import { readTopic } from "./topics.js";

/** Maximum muted topics per user. */
const maxMutedTopics = 10_000;

/** The parameters that identify a channel. */
interface ChannelNamed {
  readonly stream_id?: number;
  readonly stream?: string;
}

/**
 * Mutes a topic of a channel for the caller, or unmutes it (Topic muting; States and transitions). Treats a channel that the
 * caller is not subscribed to like one that does not exist.
 */
export function createUpdateMutedTopic({ database, behaviour }: Services): Operation<"updateMutedTopic"> {
  return async ({ parameters, caller }) => {
    const channel = await findNamedChannel(database, caller, parameters);
    const { id: user_id, realm_id } = caller.user;
    const topic = readTopic(parameters.topic, caller.realm, behaviour);
    const row = { realm_id, user_id, channel_id: channel.id, topic };
    const isChanged = parameters.op === "add" ? await mute(database, row) : await unmute(database, row);
    if (
      parameters.op === "add" &&
      isChanged &&
      (await countRows(database, "muted_topic", caller.user)) > maxMutedTopics
    )
      throw badRequest(`You cannot mute more than ${maxMutedTopics} topics`);
    if (!isChanged && !behaviour.repeatedTopicMute) {
      return badRequest(parameters.op === "add" ? "Topic already muted" : "Topic is not muted");
    }
    return undefined;
  };
}

type MutedTopic = Pick<Selectable<Tables["muted_topic"]>, "realm_id" | "user_id" | "channel_id" | "topic">;

/** Returns false if the topic was muted already. */
async function mute(database: Database, row: MutedTopic): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto("muted_topic")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns false if the topic was not muted. */
async function unmute(database: Database, { realm_id, user_id, channel_id, topic }: MutedTopic): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom("muted_topic")
    .where("realm_id", "=", realm_id)
    .where("user_id", "=", user_id)
    .where("channel_id", "=", channel_id)
    .where("topic_key", "=", keyOf(topic))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function findNamedChannel(
  database: Database,
  { user }: Caller,
  { stream_id: id, stream: name }: ChannelNamed,
): Promise<Channel> {
  if (id !== undefined && name !== undefined) throw badRequest("Please choose one: 'stream' or 'stream_id'");
  if (id !== undefined) {
    const channel = await findChannel(database, user, id);
    if (channel === undefined || !(await isSubscribed(database, user, channel))) throw badRequest("Invalid channel ID");
    return channel;
  }
  if (name === undefined) throw badRequest("Please supply 'stream' or 'stream_id'");
  const channel = await findChannelByName(database, user, name);
  if (channel === undefined || !(await isSubscribed(database, user, channel))) throw badRequest("Invalid channel name");
  return channel;
}
