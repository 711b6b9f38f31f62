import { createStatesClient } from "../../../src/verify/states/states-client.js";
import { setUpChat } from "../../support/set-up-chat.js";

/** A request with a null byte in the parameter `names`. Its other parameters are valid. */
interface NullByteCall {
  readonly names: string;
  readonly method: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const nul = "a\0b";
const form = (method: string, path: string, names: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ names, method, path },
  fields: { ...more, ...(names in more ? {} : { [names]: nul }) },
});
const narrow = (value: unknown): NullByteCall => ({
  ...{ names: "narrow", method: "GET" },
  path: `messages?anchor=newest&num_before=1&num_after=0&narrow=${encodeURIComponent(JSON.stringify(value))}`,
});
const push = {
  ...{ token_kind: "android", push_account_id: "1", push_public_key: `${"A".repeat(43)}=` },
  ...{ bouncer_public_key: `${"A".repeat(43)}=`, encrypted_push_registration: "AAAA" },
};

/** Calls of every kind of parameter: plain texts, arrays, objects and their keys, and parts of the path. */
const calls: readonly NullByteCall[] = [
  ...["content", "topic", "prev_content_sha256"].map((name) =>
    form("PATCH", "messages/1", name, { ...(name === "content" ? {} : { content: "x" }) }),
  ),
  ...["full_name", "new_email"].map((name) => form("PATCH", "users/nobody%40example.com", name)),
  form("PATCH", "users/nobody%40example.com", "profile_data", {
    profile_data: JSON.stringify([{ id: 1, value: nul }]),
  }),
  { names: "email", method: "PATCH", path: "users/a%00b", fields: { full_name: "Ann" } },
  narrow([{ operator: "search", operand: nul }]),
  narrow([{ operator: nul, operand: 1 }]),
  narrow([{ operator: "dm", operand: [1, nul] }]),
  narrow([{ operator: "dm", operand: { [nul]: 1 } }]),
  narrow([["topic", nul]]),
  ...["stream", "topic"].map((name) =>
    form("PATCH", "users/me/subscriptions/muted_topics", name, {
      ...{ op: "add" },
      ...(name === "stream" ? { topic: "x" } : { stream: "x" }),
    }),
  ),
  ...["name", "hint"].map((name) => form("POST", "realm/profile_fields", name, { field_type: "1" })),
  ...[{ [nul]: { text: "a", order: "1" } }, { a: { text: nul, order: "1" } }].map((data) =>
    form("POST", "realm/profile_fields", "field_data", { field_type: "3", field_data: JSON.stringify(data) }),
  ),
  form("DELETE", "users/me/subscriptions", "subscriptions", { subscriptions: JSON.stringify([nul]) }),
  form("DELETE", "users/me/subscriptions", "principals", { subscriptions: "[]", principals: JSON.stringify([nul]) }),
  ...["push_public_key", "bouncer_public_key", "encrypted_push_registration"].map((name) =>
    form(
      "POST",
      "mobile_push/register",
      name,
      Object.fromEntries(Object.entries(push).filter(([key]) => key !== name)),
    ),
  ),
  form("POST", "users/me/ios_device_token", "token", { appid: "org.example" }),
  form("POST", "users/me/ios_device_token", "appid", { token: "c0ffee" }),
  form("DELETE", "users/me/android_reg_id", "token"),
  form("PATCH", "realm/filters/1", "pattern", { url_template: "https://example.com" }),
  form("PATCH", "realm/filters/1", "url_template", { pattern: "x" }),
  form("POST", "reminders", "note"),
  { names: "fragment", method: "DELETE", path: "navigation_views/a/%00" },
];

/** Sends the calls to a server. Returns those that get anything but 400 BAD_REQUEST and the name of the parameter. */
export async function wrongAnswersToNullBytes(server: {
  readonly url: string;
  readonly statesUrl: string;
}): Promise<unknown[]> {
  const setup = await setUpChat(server);
  const { email, api_key } = setup.credentials("owner");
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  const wrong: unknown[] = [];
  const answerTo = async (path: string, init: RequestInit) => {
    const answer = await fetch(`${server.url}/api/v1/${path}`, { headers, ...init });
    return { status: answer.status, ...((await answer.json()) as { code: string; msg: string }) };
  };
  for (const { names, method, path, fields } of calls) {
    const answer = await answerTo(path, { method, ...(fields && { body: new URLSearchParams(fields) }) });
    const isRight = answer.status === 400 && answer.code === "BAD_REQUEST" && answer.msg.includes(`'${names}'`);
    if (!isRight) wrong.push({ names, method, path, answer });
  }
  const body = new FormData();
  body.append("file", new File(["skull"], nul));
  const upload = await answerTo("user_uploads", { method: "POST", body });
  if (upload.status !== 400) wrong.push(upload);
  const named = { Authorization: `Basic ${btoa(`${nul}:${api_key}`)}` };
  const login = await answerTo("users/1/status", { headers: named });
  if (login.status !== 401) wrong.push(login);
  const state = { state: "channel", params: { name: nul, subscribers: [] } };
  const refused: unknown = await createStatesClient(server.statesUrl)
    .setUp([state])
    .then(() => "set up", String);
  if (!/null byte/.test(String(refused))) wrong.push(refused);
  return wrong;
}
