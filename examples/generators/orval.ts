import { getMessages, unsubscribe, uploadFile } from "./orval";

const options = { headers: { Authorization: `Basic ${btoa("me@example.com:key")}` } };

const left = await unsubscribe({ subscriptions: JSON.stringify(["Denmark", "Verona"]) }, options);
if (left.status === 200) console.log(left.data.removed, left.data.not_removed);

const narrow = JSON.stringify([{ operator: "channel", operand: "Ephesus" }]);
const page = await getMessages({ anchor: 4141, num_before: 0, num_after: 0, narrow, apply_markdown: false }, options);
if (page.status === 200) console.log(page.data.messages[0]?.content);

const file = new File(["Rehearsal on Friday at six."], "notes.txt", { type: "text/plain" });
const upload = await uploadFile({ file }, options);
if (upload.status === 200) console.log(upload.data.filename);

const { data } = await unsubscribe({ subscriptions: JSON.stringify(["nordic folk dance"]) }, options);
if ("code" in data && data.code === "STREAM_DOES_NOT_EXIST") console.log(`no channel ${data.stream}`);
