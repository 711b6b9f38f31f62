import { createHash } from "node:crypto";
import {
  always,
  changesParameters,
  changesSuccess,
  forgives,
  ignores,
  jsonOf,
  listOf,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { readMessage } from "../read-message.js";

const edited = () => ({ detached_uploads: [] });

/** Wrong handling of message content. */
export const editingFaults: readonly Fault[] = ofFamily("editing messages", [
  [
    "content-with-channel-accepted",
    "moves a message to another channel and ignores the new content",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.has("stream_id")) parameters.delete("content");
    }),
    ["messages.edit.content-with-stream"],
    ["case editMessage/content_with_channel"],
  ],
  [
    "lost-update",
    "does not compare the previous content",
    ignores("editMessage", "prev_content_sha256"),
    ["messages.edit.prev-content-differs", "messages.edit.prev-content-concurrent"],
    ["workflow editing-concurrent"],
  ],
  [
    "digest-of-rendered-content",
    "compares the digest of the rendered content",
    always(["editMessage"], async (request, forward) => {
      const html = await readMessage(request, forward, { apply_markdown: "true" });
      const raw = await readMessage(request, forward, { apply_markdown: "false" });
      return forward(
        withParameters(request, (parameters) => {
          const sent = parameters.get("prev_content_sha256");
          if (sent === null || html === undefined || raw === undefined) return;
          const isRight = sent === digest(html.content);
          parameters.set("prev_content_sha256", isRight ? digest(raw.content) : "0".repeat(64));
        }),
      );
    }),
    ["messages.edit.prev-content-raw"],
    ["case editMessage/prev_content_markdown"],
  ],
  [
    "content-limit-off-by-one",
    "accepts content that is one character too long",
    changesParameters(["editMessage"], (parameters) => {
      const content = parameters.get("content") ?? "";
      if (content.length === 10_001) parameters.set("content", content.slice(1));
    }),
    ["messages.edit.content-length"],
    ["case editMessage/content_too_long"],
  ],
  [
    "content-lost-with-topic",
    "keeps the old content when the topic changes too",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.has("topic")) parameters.delete("content");
    }),
    ["messages.edit.content-and-topic-change-all", "messages.edit.content"],
    ["workflow editing-content-and-topic"],
  ],
  [
    "editing-always-allowed",
    "allows editing content although `allow_message_editing` is off",
    forgives("editMessage", "Your organization has turned off message editing", edited),
    ["messages.edit.editing-disallowed"],
    ["case editMessage/editing_disallowed"],
  ],
  [
    "no-time-limit-for-content",
    "allows editing content after the time limit",
    forgives("editMessage", "The time limit for editing this message has passed", edited),
    ["messages.edit.content-late"],
    ["case editMessage/content_late"],
  ],
  [
    "wildcard-mention-accepted",
    "allows any user to mention a channel with many subscribers",
    forgives("editMessage", "You do not have permission to use", edited),
    ["messages.edit.channel-wildcard-not-allowed"],
    ["case editMessage/channel_wildcard_not_allowed"],
  ],
  [
    "nothing-detached",
    "never returns the uploads that an edit has detached",
    changesSuccess(["editMessage"], (body) => {
      body.detached_uploads = [];
    }),
    ["messages.edit.detached-uploads"],
    ["case editMessage/detached_upload"],
  ],
  [
    "detached-times-in-seconds",
    "returns the times of detached uploads in seconds",
    changesSuccess(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) {
        upload.create_time = Math.floor(Number(upload.create_time) / 1000);
      }
    }),
    ["messages.edit.detached-uploads-create-time"],
    ["workflow editing-last-reference"],
  ],
  [
    "empty-detached-uploads-omitted",
    "omits `detached_uploads` if an edit detaches nothing",
    changesSuccess(["editMessage"], (body) => {
      if (listOf(body.detached_uploads).length === 0) delete body.detached_uploads;
    }),
    ["messages.edit.content"],
    ["case editMessage/content"],
  ],
  [
    "detached-message-times-in-seconds",
    "names a message of each detached upload, with its time in seconds",
    changesSuccess(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) {
        upload.messages = [{ date_sent: Math.floor(Number(upload.create_time) / 1000), id: 1 }];
      }
    }),
    ["messages.edit.detached-uploads-date-sent"],
    ["workflow editing-detached-message-times"],
  ],
  [
    "detached-time-in-future",
    "returns 2040 as the creation date of detached uploads",
    changesSuccess(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) upload.create_time = Date.UTC(2040, 0, 1);
    }),
    ["messages.edit.detached-uploads-create-time"],
    ["workflow editing-last-reference"],
  ],
  [
    "detached-path-unknown",
    "returns an unknown path id for detached uploads",
    changesSuccess(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) upload.path_id = `elsewhere/${upload.path_id}`;
    }),
    ["messages.edit.detached-uploads"],
    ["workflow editing-last-reference"],
  ],
  [
    "detached-size-off-by-one",
    "returns the size of detached uploads one byte too large",
    changesSuccess(["editMessage"], (body) => {
      for (const upload of listOf(body.detached_uploads)) upload.size = Number(upload.size) + 1;
    }),
    ["messages.edit.detached-uploads-size"],
    ["case editMessage/detached_upload"],
  ],
  [
    "referenced-upload-detached",
    "returns an upload as detached although other messages link to it",
    {
      on: ["editMessage"],
      start: (known) => async (request, forward) => {
        const answer = await forward(request);
        const body = jsonOf(answer);
        const { organization = "" } = known.callerOf(request) ?? {};
        const uploads = known.valuesOf(organization).filter(({ state }) => state === "attachment");
        const listed = new Set(listOf(body?.detached_uploads).map(({ id }) => id));
        const others = uploads
          .filter(({ values }) => !listed.has(values.attachment_id))
          .map(({ values, params }) => ({
            id: values.attachment_id,
            name: params.name ?? "file.txt",
            path_id: values.path_id,
            size: 20,
            create_time: 1_760_000_000_000,
            messages: [],
          }));
        if (body === undefined || answer.status !== 200 || others.length === 0) return answer;
        const detached_uploads = [...listOf(body.detached_uploads), ...others];
        return { ...answer, body: Buffer.from(JSON.stringify({ ...body, detached_uploads })) };
      },
    },
    ["messages.edit.detached-uploads-still-referenced", "messages.edit.detached-uploads-none"],
    ["workflow editing-last-reference"],
  ],
]);

function digest(content: unknown): string {
  return createHash("sha256").update(String(content)).digest("hex");
}
