import { isErrorFromAlias } from "@zodios/core";
import { createApiClient } from "./openapi-zod-client";

const chat = createApiClient("http://127.0.0.1:4010/api/v1", {
  axiosConfig: { auth: { username: "me@example.com", password: "key" } },
});

const left = await chat.unsubscribe({ subscriptions: JSON.stringify(["Denmark", "Verona"]) });
console.log(left.removed, left.not_removed);

const narrow = JSON.stringify([{ operator: "channel", operand: "Ephesus" }]);
const queries = { anchor: 4141, num_before: 0, num_after: 0, narrow, apply_markdown: false };
console.log((await chat.getMessages({ queries })).messages[0]?.content);

const file = new File(["Rehearsal on Friday at six."], "notes.txt", { type: "text/plain" });
console.log((await chat.uploadFile({ file })).filename);

try {
  await chat.unsubscribe({ subscriptions: JSON.stringify(["nordic folk dance"]) });
} catch (failure) {
  if (!isErrorFromAlias(chat.api, "unsubscribe", failure)) throw failure;
  const { data } = failure.response;
  if (data.code === "STREAM_DOES_NOT_EXIST") console.log(`no channel ${data.stream}`);
}
