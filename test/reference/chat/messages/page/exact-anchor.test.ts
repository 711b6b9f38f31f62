import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../../reference/chat/create-chat-reference.js";
import { setUpChat } from "../../../../support/set-up-chat.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

it.each([
  ["9007199254740993", "9007199254740993"],
  ["-9007199254740993", "-9007199254740993"],
  ["9223372036854775807", "9223372036854775807"],
  // Above 64 bits, it is the position after all messages.
  ["9223372036854775808", "10000000000000000"],
])("answers the anchor %s with %s", async (anchor, answered) => {
  const setup = await setUpChat(server);
  const { email, api_key } = setup.credentials("member");
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  for (const more of ["", "&unknown=1"]) {
    const url = `${server.url}/api/v1/messages?anchor=${anchor}&num_before=1&num_after=0${more}`;
    const response = await fetch(url, { headers });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(new RegExp(`"anchor":${answered},`));
  }
});
