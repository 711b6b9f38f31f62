import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../../support/answer-of.js";
import { chatServer } from "../../../support/chat-server.js";
import { propertyRuns, propertySeed } from "../../../support/property-seed.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const limits = { content: 1_000, within: 10_000, between: 100_000 } as const;
/** Seconds clearly on one side of each limit. */
const ages = fc.array(fc.constantFrom(0, 500, 5_000, 50_000, 500_000), { minLength: 1, maxLength: 6 });
const modes = fc.constantFrom("change_one", "change_later", "change_all");

const server = await chatServer();

describe("time limits", () => {
  it("report the messages that can be moved, and allow moving exactly those", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          ages,
          nth: fc.nat(5),
          mode: modes,
          place: fc.constantFrom("topic", "channel", "both"),
          caller: fc.constantFrom("member", "other", "member", "moderator", "administrator", "owner"),
        }),
        async ({ ages, nth, mode, place, caller }) => {
          const { chat, ids, sent } = await oldTopic(ages, caller);
          const at = nth % ids.length;
          const to = {
            ...(place === "channel" ? {} : { topic: "new" }),
            ...(place === "topic" ? {} : { stream_id: chat.id("elsewhere") }),
          };
          const limit = place === "topic" ? limits.within : limits.between;
          const isLate = (index: number) => (sent[index] ?? 0) > limit;
          const moved = ids.filter(
            (_, index) => mode === "change_all" || index === at || (mode === "change_later" && index > at),
          );
          const isExempt = caller !== "member" && caller !== "other";
          const silent = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
          const edit = { ...to, ...silent };
          const answer = await answerOf(chat.as(caller), "editMessage", {
            message_id: ids[at],
            propagate_mode: mode,
            ...edit,
          });
          if (isExempt || !moved.some((id) => isLate(ids.indexOf(id)))) {
            expect(answer.status).toBe(200);
            expect(await left(chat)).toEqual(ids.filter((id) => !moved.includes(id)));
            return;
          }
          const allowed = ids.slice(ids.findLastIndex((_, index) => isLate(index)) + 1);
          const [first = null] = allowed;
          expect(answer).toEqual({
            status: 400,
            body: {
              result: "error",
              code: "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
              msg: expect.any(String),
              first_message_id_allowed_to_move: first,
              total_messages_in_topic: ids.length,
              total_messages_allowed_to_move: allowed.length,
            },
          });
          expect(await left(chat)).toEqual(ids);
          if (first === null) return;
          const retried = { message_id: first, propagate_mode: "change_later", ...edit };
          expect((await answerOf(chat.as(caller), "editMessage", retried)).status).toBe(200);
          expect(await left(chat)).toEqual(ids.filter((id) => id < first));
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(60) },
    );
  });

  it("exempt nobody from the content limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 500, 5_000, 500_000),
        fc.constantFrom("member", "moderator", "administrator", "owner"),
        async (age, caller) => {
          const { chat, ids } = await oldTopic([age], caller);
          const edit = { message_id: ids[0], content: "Changed" };
          expect((await answerOf(chat.as(caller), "editMessage", edit)).status).toBe(age > limits.content ? 400 : 200);
        },
      ),
      { seed: propertySeed, numRuns: propertyRuns(20) },
    );
  });
});

/** Creates a topic `old` with messages of these ages by a caller, oldest first. */
async function oldTopic(ages: readonly number[], from: string) {
  const sent = [...ages].sort((one, other) => other - one);
  const allCallers = ["owner", "administrator", "moderator", "member", "other"];
  const chat = await setUpChat(
    server,
    {
      state: "organization",
      params: {
        settings: {
          message_content_edit_limit_seconds: limits.content,
          move_messages_within_stream_limit_seconds: limits.within,
          move_messages_between_streams_limit_seconds: limits.between,
          can_move_messages_between_topics_group: allCallers,
          can_move_messages_between_channels_group: allCallers,
        },
      },
    },
    { state: "channel", params: { name: "here", subscribers: allCallers } },
    {
      state: "channel",
      params: { name: "there", subscribers: allCallers },
      rename: { stream_id: "elsewhere" },
    },
    ...sent.map((age_seconds, index) => ({
      state: "message",
      params: { from, channel: "here", topic: "old", age_seconds },
      rename: { message_id: `message ${index}` },
    })),
  );
  return { chat, sent, ids: sent.map((_, index) => chat.id(`message ${index}`)) };
}

/** The ids of the messages that are still in the topic. */
async function left(chat: ChatSetup): Promise<number[]> {
  const narrow = [
    { operator: "channel", operand: "here" },
    { operator: "topic", operand: "old" },
  ];
  const { body } = await answerOf(chat.as("owner"), "getMessages", {
    anchor: "oldest",
    num_before: 0,
    num_after: 100,
    narrow,
  });
  return (body.messages as { id: number }[]).map(({ id }) => id);
}
