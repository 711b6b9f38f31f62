import { createHash } from "node:crypto";
import { ofFamily } from "../../fault.js";
import { has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { listOf, withParameters } from "../messages.js";
import { readMessage } from "../read-message.js";

/** Wrong handling of message content. */
export const editingFaults: readonly ChatFault[] = ofFamily("editing messages", [
  fault("content-with-channel-accepted", "moves a message to another channel and ignores the new content")
    .breaks("messages.edit.content-with-stream")
    .checkedBy("case editMessage/content_with_channel")
    .ignores("editMessage", "content", has("stream_id")),
  fault("digest-of-rendered-content", "compares the digest of the rendered content")
    .breaks("messages.edit.prev-content-raw")
    .checkedBy("case editMessage/prev_content_markdown")
    .always("editMessage", async (request, forward) => {
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
  fault("content-limit-off-by-one", "accepts content that is one character too long")
    .breaks("messages.edit.content-length")
    .checkedBy("case editMessage/content_too_long")
    .reads("editMessage", "content", (content) => (content.length === 10_001 ? content.slice(1) : content)),
  fault("content-lost-with-topic", "keeps the old content when the topic changes too")
    .breaks("messages.edit.content-and-topic-change-all", "messages.edit.content")
    .checkedBy("workflow editing-content-and-topic")
    .ignores("editMessage", "content", has("topic")),
  fault("nothing-detached", "never returns the uploads that an edit has detached")
    .breaks("messages.edit.detached-uploads")
    .checkedBy("case editMessage/detached_upload")
    .returns("editMessage", "detached_uploads", []),
  fault("detached-times-in-seconds", "returns the times of detached uploads in seconds")
    .breaks("messages.edit.detached-uploads-create-time")
    .changes("editMessage", "detached_uploads[].create_time", (time) => Math.floor(Number(time) / 1000)),
  fault("empty-detached-uploads-omitted", "omits `detached_uploads` if an edit detaches nothing")
    .breaks("editMessage")
    .checkedBy("case editMessage/content")
    .changes("editMessage", "detached_uploads", (uploads) => (listOf(uploads).length === 0 ? undefined : uploads)),
  fault("detached-message-times-in-seconds", "names a message of each detached upload, with its time in seconds")
    .breaks("messages.edit.detached-uploads-date-sent")
    .changesSuccess("editMessage", (body) => {
      for (const upload of listOf(body.detached_uploads)) {
        upload.messages = [{ date_sent: Math.floor(Number(upload.create_time) / 1000), id: 1 }];
      }
    }),
  fault("detached-time-in-future", "returns 2040 as the creation date of detached uploads")
    .breaks("messages.edit.detached-uploads-create-time")
    .returns("editMessage", "detached_uploads[].create_time", Date.UTC(2040, 0, 1)),
  fault("detached-path-unknown", "returns an unknown path id for detached uploads")
    .breaks("messages.edit.detached-uploads")
    .checkedBy("workflow editing-last-reference")
    .changes("editMessage", "detached_uploads[].path_id", (path) => `elsewhere/${path}`),
  fault("referenced-upload-detached", "returns an upload as detached although other messages link to it")
    .breaks("messages.edit.detached-uploads-still-referenced", "messages.edit.detached-uploads-none")
    .checkedBy("workflow editing-last-reference")
    .changesSuccess("editMessage", (body, { request, known }) => {
      const detached = listOf(body.detached_uploads);
      const uploads = known.setupsOf(request).filter(({ state }) => state === "attachment");
      const others = uploads.filter(({ values }) => !detached.some(({ id }) => id === values.attachment_id));
      const listed = others.map(({ values: { attachment_id: id, path_id }, params: { name = "file.txt" } }) => ({
        ...{ id, name, path_id },
        ...{ size: 20, create_time: 1_760_000_000_000, messages: [] },
      }));
      body.detached_uploads = [...detached, ...listed];
    }),
]);

function digest(content: unknown): string {
  return createHash("sha256").update(String(content)).digest("hex");
}
