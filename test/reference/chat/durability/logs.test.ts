import { expect, it } from "vitest";
import { startReferenceProcess } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";

/** Values that must not be logged, wherever they are in a request. */
const secret = "s3cr3tMark";

it("logs operations but no key, token, address or text of a request", async () => {
  const server = await startReferenceProcess("--states", "--log-level", "debug");
  const setup = await setUpChat(server, {
    state: "message",
    params: { from: "member", to: ["other"], content: `state ${secret}` },
  });
  const { email, api_key: key } = setup.credentials("member");
  const { email: adminEmail, api_key: adminKey } = setup.credentials("owner");
  const basic = (name: string, password: string) => `Basic ${btoa(`${name}:${password}`)}`;
  const as = { Authorization: basic(email, key) };
  const admin = { Authorization: basic(adminEmail, adminKey) };
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const id = setup.id("message_id");
  const file = new FormData();
  file.append("file", new File([secret], `${secret}.txt`));
  const json = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });

  const requests: [status: number, path: string, init?: RequestInit][] = [
    [200, "/healthz"],
    [404, `/${secret}?${secret}=${secret}`],
    [404, `/api/v1/${secret}/${secret}`],
    [404, `/user_uploads/${secret}/${secret}/${secret}`, { headers: as }],
    [401, "/api/v1/messages", { headers: { Authorization: basic(`${secret}@example.com`, secret) } }],
    [401, "/api/v1/messages", { headers: { Authorization: `Bearer ${secret}` } }],
    [401, "/api/v1/messages", { headers: { Cookie: `session=${secret}` } }],
    [405, `/api/v1/messages/${secret}`, { method: "POST", headers: { "X-Request-Id": secret, "User-Agent": secret } }],
    [400, `/api/v1/messages?anchor=${secret}&api_key=${secret}`, { headers: as }],
    [400, `/api/v1/messages/${secret}`, { method: "PATCH", headers: { ...as, ...form }, body: `content=${secret}` }],
    [200, `/api/v1/messages/${id}`, { method: "PATCH", headers: { ...as, ...form }, body: `content=${secret}` }],
    [
      400,
      `/api/v1/users/${secret}@example.com`,
      { method: "PATCH", headers: { ...admin, ...form }, body: `full_name=${secret}` },
    ],
    [
      400,
      "/api/v1/users/me/ios_device_token",
      { method: "POST", headers: { ...as, ...form }, body: `token=${secret}` },
    ],
    [200, "/api/v1/reminders", { method: "POST", headers: { ...as, ...form }, body: `note=${secret}` }],
    [200, "/api/v1/user_uploads", { method: "POST", headers: as, body: file }],
    [400, "/states", json({ state: secret, action: "setup" })],
    [400, "/states", json({ state: "message", action: "setup", params: { organization: secret } })],
    [400, "/states", { method: "POST", body: `{"${secret}` }],
  ];
  for (const [status, path, init = {}] of requests) {
    const answer = await fetch(server.url + path, init);
    expect([path, answer.status, await answer.text()]).toEqual([path, status, expect.any(String)]);
  }
  expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ status: "ok" });
  server.child.kill("SIGTERM");
  const { stderr, code } = await server.finished;

  expect(code).toBe(0);
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThanOrEqual(requests.length);
  expect(new Set(lines.map(({ operation }) => operation))).toContain("editMessage");
  for (const hidden of [secret, key, adminKey, email, adminEmail, btoa(`${email}:${key}`)]) {
    expect(stderr).not.toContain(hidden);
    expect(stderr.toLowerCase()).not.toContain(encodeURIComponent(hidden).toLowerCase());
  }
  expect(stderr).not.toMatch(/basic |authorization|cookie/i);
});
