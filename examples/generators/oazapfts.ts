import { defaults, getMessages, unsubscribe, uploadFile } from "./oazapfts";

defaults.baseUrl = "http://127.0.0.1:4010/api/v1";
defaults.headers = { Authorization: `Basic ${btoa("me@example.com:key")}` };

const left = await unsubscribe({ subscriptions: JSON.stringify(["Denmark", "Verona"]) });
if (left.status === 200) console.log(left.data.removed, left.data.not_removed);

const narrow = JSON.stringify([{ operator: "channel", operand: "Ephesus" }]);
const page = await getMessages({ anchor: 4141, numBefore: 0, numAfter: 0, narrow, applyMarkdown: false });
if (page.status === 200) console.log(page.data.messages[0]?.content);

const file = new File(["Rehearsal on Friday at six."], "notes.txt", { type: "text/plain" });
const upload = await uploadFile({ file });
if (upload.status === 200) console.log(upload.data.filename);

const refused = await unsubscribe({ subscriptions: JSON.stringify(["nordic folk dance"]) });
if (refused.status === 400 && refused.data.code === "STREAM_DOES_NOT_EXIST")
  console.log(`no channel ${refused.data.stream}`);
