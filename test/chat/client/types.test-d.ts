import { expectTypeOf } from "vitest";
import type { ChatClient, ErrorBody } from "../../../src/chat/index.js";
import { isApiError, supports, unwrap } from "../../../src/chat/index.js";

// Checked by the compiler in `npm run lint`; nothing here runs.
export async function callsAreTyped(chat: ChatClient, thrown: unknown): Promise<void> {
  // `ok` and `status` narrow a result.
  const left = await chat.unsubscribe({ subscriptions: ["Denmark"], principals: [17] });
  if (left.ok) {
    expectTypeOf(left.status).toEqualTypeOf<200>();
    expectTypeOf(left.data.removed).toEqualTypeOf<string[]>();
    // @ts-expect-error: the response has no such field.
    left.data.remvoed;
  } else if (left.status === 400) {
    // `code` narrows an error.
    // @ts-expect-error: `stream` belongs to one code only.
    left.error.stream;
    if (left.error.code === "STREAM_DOES_NOT_EXIST") expectTypeOf(left.error.stream).toEqualTypeOf<string>();
    if (left.error.code === "BAD_REQUEST") expectTypeOf(left.error).toEqualTypeOf<ErrorBody<"BAD_REQUEST">>();
  } else if (left.status === 401) {
    if (left.error.code === "UNAUTHORIZED") expectTypeOf(left.error).toEqualTypeOf<ErrorBody<"UNAUTHORIZED">>();
  }
  expectTypeOf(unwrap(left).not_removed).toEqualTypeOf<string[]>();

  // JSON in the query has the type of its content.
  await chat.getMessages({
    anchor: "newest",
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: "channel", operand: "Denmark" }],
  });
  await chat.getMessages({ message_ids: [1, 2] });
  // @ts-expect-error: the ids are numbers, not their JSON text.
  await chat.getMessages({ message_ids: "[1, 2]" });

  // An upload takes a Blob.
  await chat.uploadFile({ file: new Blob(["text"]) });
  // @ts-expect-error: a path is not a file.
  await chat.uploadFile({ file: "notes.txt" });

  // Operations without required parameters need none.
  await chat.getServerSettings();
  await chat.createReminder();

  // @ts-expect-error: `subscriptions` is required.
  await chat.unsubscribe({});
  // @ts-expect-error: a misspelt parameter.
  await chat.unsubscribe({ subscriptions: [], principal: [17] });
  // @ts-expect-error: `message_id` is an integer.
  await chat.editMessage({ message_id: "21", content: "new" });
  // @ts-expect-error: not one of the propagate modes.
  await chat.editMessage({ message_id: 21, propagate_mode: "change_some" });
  // @ts-expect-error: no such operation.
  await chat.unmuteUser({ muted_user_id: 5 });

  if (isApiError(thrown, "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED")) {
    expectTypeOf(thrown.body.first_message_id_allowed_to_move).toEqualTypeOf<number | null>();
    expectTypeOf(thrown.body.total_messages_in_topic).toEqualTypeOf<number>();
  }
  if (isApiError(thrown, "CANNOT_DEACTIVATE_LAST_USER"))
    expectTypeOf(thrown.body.is_last_owner).toEqualTypeOf<boolean>();
  // @ts-expect-error: not a code of the contract.
  isApiError(thrown, "NO_SUCH_CODE");

  supports(300, "messages.edit.prev_content_sha256");
  supports(undefined, "push.register");
  // @ts-expect-error: not a feature of the contract.
  supports(300, "messages.edit.colour");
}
