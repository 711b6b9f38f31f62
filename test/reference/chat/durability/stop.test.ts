import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";

it("loses nothing when stopped under load, and exits with 0", async () => {
  using folder = temporaryFolder();
  const first = await startReferenceProcess("--data", folder.path, "--states", "--log-level", "error");
  const setup = await setUpChat(first, { state: "message", params: { from: "member", to: ["other"] } });
  const message_id = setup.id("message_id");
  const acknowledged = new Set<string>();
  const load = Array.from({ length: 4 }, async (_, client) => {
    for (let index = 0; ; index++) {
      const name = `from-${client}-number-${index}.txt`;
      try {
        const [edit, upload] = await Promise.all([
          setup.as("member").editMessage({ message_id, content: name }),
          setup.as("member").uploadFile({ file: new File([name], name, { type: "text/plain" }) }),
        ]);
        if (edit.ok && upload.ok) acknowledged.add(`${upload.data.url}\n${name}`);
        else throw new Error(`refused with ${edit.status} and ${upload.status}`);
      } catch (error) {
        // fetch reports the killed server this way.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  });
  while (acknowledged.size < 8) await sleep(20);
  first.child.kill("SIGTERM");
  const end = await first.finished;
  await Promise.all(load);
  expect(end).toMatchObject({ code: 0, signal: null, stderr: "" });

  const second = await createChatReference({ dataFolder: folder.path });
  const { email, api_key } = setup.credentials("member");
  const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
  for (const each of acknowledged) {
    const [path, name] = each.split("\n");
    const answer = await fetch(`${second.url}${path}`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, name]);
  }
  const { database } = second.services;
  const edits = database.selectFrom("message_edit").select("id").where("message_id", "=", message_id);
  expect((await edits.execute()).length).toBeGreaterThanOrEqual(acknowledged.size);
  await second.close();
});

it("exits promptly although a running request never ends", async () => {
  const server = await startReferenceProcess("--states", "--log-level", "silent");
  const setup = await setUpChat(server, { state: "message", params: { from: "member", to: ["other"] } });
  const { email, api_key } = setup.credentials("member");
  const outgoing = request(`${server.url}/api/v1/messages/${setup.id("message_id")}`, {
    method: "PATCH",
    auth: `${email}:${api_key}`,
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": 100, Expect: "100-continue" },
  });
  const ended = new Promise((resolve) => {
    outgoing.on("response", ({ statusCode }) => resolve(statusCode));
    outgoing.on("error", () => resolve("gone"));
  });
  // The server is waiting for the body.
  await once(outgoing, "continue");
  outgoing.write("content=");
  server.child.kill("SIGTERM");
  expect(await server.finished).toMatchObject({ code: 0, signal: null });
  // Running requests get two seconds; Node alone would wait for minutes and then respond.
  expect(await ended).toBe("gone");
});
