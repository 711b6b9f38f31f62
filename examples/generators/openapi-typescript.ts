import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript";

const headers = { Authorization: `Basic ${btoa("me@example.com:key")}` };
const chat = createClient<paths>({ baseUrl: "http://127.0.0.1:4010/api/v1", headers });
const form = { headers: { "Content-Type": "application/x-www-form-urlencoded" } };
const multipart = {
  bodySerializer(fields: object) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return body;
  },
};

const body = { subscriptions: JSON.stringify(["Denmark", "Verona"]) };
const left = await chat.DELETE("/users/me/subscriptions", { body, ...form });
console.log(left.data?.removed, left.data?.not_removed);

const narrow = JSON.stringify([{ operator: "channel", operand: "Ephesus" }]);
const query = { anchor: 4141, num_before: 0, num_after: 0, narrow, apply_markdown: false };
console.log((await chat.GET("/messages", { params: { query } })).data?.messages[0]?.content);

const file = new File(["Rehearsal on Friday at six."], "notes.txt", { type: "text/plain" });
const upload = await chat.POST("/user_uploads", { body: { file: file as unknown as string }, ...multipart });
console.log(upload.data?.filename);

const unknown = { subscriptions: JSON.stringify(["nordic folk dance"]) };
const { error } = await chat.DELETE("/users/me/subscriptions", { body: unknown, ...form });
if (error?.code === "STREAM_DOES_NOT_EXIST") console.log(`no channel ${error.stream}`);
