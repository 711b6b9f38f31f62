import type { OperationId } from "../../../../../src/chat/operation-types.js";
import type { GivenState } from "../../../../../src/contract/rest/document.js";
import { type Answer, answerOf } from "../../../../support/answer-of.js";
import { setUpChat } from "../../../../support/set-up-chat.js";
import {
  type ChannelName,
  type ChatModel,
  channelNames,
  type ModelChannel,
  type Person,
  people,
} from "./chat-model.js";

/** A real organization. */
export interface Session {
  readonly call: (person: Person, operationId: OperationId, parameters: object) => Promise<Answer>;
  /** Sets up a state and returns its values. */
  readonly add: (state: GivenState["state"], params: object) => Promise<Readonly<Record<string, unknown>>>;
}

/** Initial subscribers of each channel besides the owner. */
export type Subscribers = Readonly<Record<ChannelName, readonly Person[]>>;

const kinds = {
  open: { isPrivate: false, isProtected: false },
  closed: { isPrivate: true, isProtected: false },
  guarded: { isPrivate: true, isProtected: true },
} as const;

/** Creates an organization, in which everyone may always edit, move and resolve, with channels and its model. */
export async function startSession(
  server: { readonly url: string; readonly statesUrl: string },
  subscribers: Subscribers,
): Promise<{ readonly model: ChatModel; readonly real: Session }> {
  const everyone = [...people];
  const of = (name: ChannelName) => [...new Set<Person>(["owner", ...subscribers[name]])];
  const setup = await setUpChat(
    server,
    {
      state: "organization",
      params: {
        settings: {
          message_content_edit_limit_seconds: null,
          move_messages_within_stream_limit_seconds: null,
          move_messages_between_streams_limit_seconds: null,
          can_resolve_topics_group: everyone,
          can_move_messages_between_channels_group: everyone,
          can_move_messages_between_topics_group: everyone,
        },
      },
    },
    ...channelNames.map((name) => ({
      state: "channel",
      params: {
        name,
        subscribers: of(name),
        private: kinds[name].isPrivate,
        history_protected: kinds[name].isProtected,
      },
      rename: { stream_id: name },
    })),
  );
  const clients = Object.fromEntries(people.map((person) => [person, setup.as(person)]));
  const channels = Object.fromEntries(
    channelNames.map((name): [ChannelName, ModelChannel] => [
      name,
      { id: setup.id(name), ...kinds[name], subscribers: new Set(of(name)) },
    ]),
  ) as ChatModel["channels"];
  const mutedBy = Object.fromEntries(people.map((person) => [person, new Set<Person>()])) as ChatModel["mutedBy"];
  return {
    model: {
      userIds: Object.fromEntries(
        people.map((person) => [person, setup.credentials(person).user_id]),
      ) as ChatModel["userIds"],
      channels,
      active: new Set(people),
      mutedBy,
      messages: [],
      uploads: [],
    },
    real: {
      call: async (person, operationId, parameters) => {
        const client = clients[person];
        if (client === undefined) throw new Error(`no client of ${person}`);
        return answerOf(client, operationId, parameters);
      },
      add: async (state, params) => (await setup.add({ state, params: { ...params } })).values,
    },
  };
}
