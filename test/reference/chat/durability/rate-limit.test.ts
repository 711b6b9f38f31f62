import { expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { setUpChat } from "../../../support/set-up-chat.js";

let now = 1_800_000_000_000;
const server = await chatServer({ rateLimit: 3, clock: { now: () => now } });

it("sends 429 with Retry-After only to the user above the limit, until the time has passed", async () => {
  const setup = await setUpChat(server);
  const call = (caller: string, path = "/api/v1/messages?anchor=newest&num_before=0&num_after=0") => {
    const { email, api_key } = setup.credentials(caller);
    return fetch(server.url + path, { headers: { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` } });
  };
  for (let index = 0; index < 3; index++) expect((await call("member")).status).toBe(200);
  const refused = await call("member");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("Retry-After"))).toBe(1);
  expect(await refused.json()).toMatchObject({ result: "error", code: "RATE_LIMIT_HIT", "retry-after": 1 });

  // Other paths count as well; operations without login are not limited.
  expect((await call("member", "/user_uploads/a/b/c")).status).toBe(429);
  expect((await call("other")).status).toBe(200);
  for (let index = 0; index < 5; index++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

  now += 1000;
  expect((await call("member")).status).toBe(200);
});
