import { Api } from "./swagger-typescript-api";

const headers = { Authorization: `Basic ${btoa("me@example.com:key")}` };
const { messages, userUploads, users } = new Api({
  baseUrl: "http://127.0.0.1:4010/api/v1",
  baseApiParams: { headers },
});

const left = await users.unsubscribe({ subscriptions: JSON.stringify(["Denmark", "Verona"]) });
console.log(left.data.removed, left.data.not_removed);

const narrow = JSON.stringify([{ operator: "channel", operand: "Ephesus" }]);
const page = await messages.getMessages({ anchor: 4141, num_before: 0, num_after: 0, narrow, apply_markdown: false });
console.log(page.data.messages[0]?.content);

const file = new File(["Rehearsal on Friday at six."], "notes.txt", { type: "text/plain" });
console.log((await userUploads.uploadFile({ file })).data.filename);

type Failure = Awaited<ReturnType<typeof users.unsubscribe>>;
const { error } = await users
  .unsubscribe({ subscriptions: JSON.stringify(["nordic folk dance"]) })
  .catch((failure: Failure) => failure);
if (error?.code === "STREAM_DOES_NOT_EXIST") console.log(`no channel ${error.stream}`);
