import { badRequest } from "../refusals.js";
import type { Caller, Operation, Services } from "../services.js";
import { countRows, type Database } from "../storage/database.js";
import type { Channel } from "../storage/tables.js";
import { findChannel, findChannelByName, isSubscribed } from "./find-channel.js";
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
  const { sql } = database;

  return ({ parameters, caller }) =>
    database.transaction(() => {
      const channel = findNamedChannel(database, caller, parameters);
      const row = {
        user_id: caller.user.id,
        channel_id: channel.id,
        topic: readTopic(parameters.topic, caller.realm, behaviour),
      };
      const { changes } =
        parameters.op === "add"
          ? database.run(
              sql
                .insertInto("muted_topic")
                .values(row)
                .onConflict((conflict) => conflict.doNothing()),
            )
          : database.run(
              sql
                .deleteFrom("muted_topic")
                .where("user_id", "=", row.user_id)
                .where("channel_id", "=", row.channel_id)
                .where("topic", "=", row.topic),
            );
      if (parameters.op === "add" && changes > 0 && countRows(database, "muted_topic", row.user_id) > maxMutedTopics)
        throw badRequest(`You cannot mute more than ${maxMutedTopics} topics`);
      if (changes === 0 && !behaviour.repeatedTopicMute) {
        return badRequest(parameters.op === "add" ? "Topic already muted" : "Topic is not muted");
      }
      return undefined;
    });
}

function findNamedChannel(
  database: Database,
  { user }: Caller,
  { stream_id: id, stream: name }: ChannelNamed,
): Channel {
  if (id !== undefined && name !== undefined) throw badRequest("Please choose one: 'stream' or 'stream_id'");
  if (id !== undefined) {
    const channel = findChannel(database, user, id);
    if (channel === undefined || !isSubscribed(database, user, channel)) throw badRequest("Invalid channel ID");
    return channel;
  }
  if (name === undefined) throw badRequest("Please supply 'stream' or 'stream_id'");
  const channel = findChannelByName(database, user, name);
  if (channel === undefined || !isSubscribed(database, user, channel)) throw badRequest("Invalid channel name");
  return channel;
}
