import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Libsql from "libsql";
import { expect, it } from "vitest";
import type { ChatClient } from "../../../../src/chat/index.js";
import { createChatClient } from "../../../../src/chat/index.js";
import { startReferenceProcess, temporaryFolder } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";

/** The full count is 100. */
const rounds = Number(process.env.ACCORD_REPEAT ?? 3);
const loadMs = 300;
const callers = ["owner", "administrator", "moderator", "member"] as const;

/** The writes that the server has acknowledged to one client. */
interface Acknowledged {
  readonly messageId: number;
  readonly email: string;
  readonly apiKey: string;
  /** The number of the last acknowledged edit; the next one may or may not have been stored. */
  edits: number;
  /** Texts of uploads by path. */
  readonly uploads: Map<string, string>;
  /** Notes of reminders. */
  readonly notes: string[];
}

/** Writes until the server is killed. */
async function write(chat: ChatClient, done: Acknowledged): Promise<void> {
  try {
    for (;;) {
      const edit = await chat.editMessage({ message_id: done.messageId, content: `edit ${done.edits + 1}` });
      if (edit.ok) done.edits++;
      const text = `upload after edit ${done.edits}`;
      const upload = await chat.uploadFile({ file: new File([text], "note.txt", { type: "text/plain" }) });
      if (upload.ok) done.uploads.set(upload.data.url, text);
      const note = `note-${done.messageId}-${done.edits}-${done.uploads.size}-end`;
      // Delivered immediately, or a second later by the scheduler, perhaps that of the next server.
      const later = done.edits % 2 === 0 ? {} : { scheduled_delivery_timestamp: Math.ceil(Date.now() / 1000) + 1 };
      const reminder = await chat.createReminder({ note, ...later });
      if (reminder.ok) done.notes.push(note);
      if (!edit.ok || !upload.ok || !reminder.ok) throw new Error("the server refused a write");
    }
  } catch (error) {
    // fetch reports the killed server this way.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Checks a copy, since the driver keeps the file locked. */
function integrity(data: string): unknown {
  using copy = temporaryFolder();
  for (const name of readdirSync(data).filter((each) => each.startsWith("chat.db"))) {
    cpSync(join(data, name), copy.inside(name));
  }
  const connection = new Libsql(copy.inside("chat.db"));
  const result = connection.pragma("integrity_check");
  connection.close();
  return result;
}

async function contentsOf(chat: ChatClient): Promise<Map<number, string>> {
  const page = await chat.getMessages({ anchor: "newest", num_before: 4000, num_after: 0, apply_markdown: false });
  if (!page.ok) throw new Error(`no messages: ${JSON.stringify(page.error)}`);
  return new Map(page.data.messages.map(({ id, content }) => [id, content]));
}

it("keeps every acknowledged write when it is killed under load", { timeout: 600_000 + 20_000 * rounds }, async () => {
  using folder = temporaryFolder();
  const start = () => startReferenceProcess("--data", folder.path, "--states", "--log-level", "error");
  let server = await start();
  const setup = await setUpChat(server, { state: "channel", params: { name: "stage", subscribers: [...callers] } });
  const written: Acknowledged[] = [];
  for (const from of callers) {
    const { values } = await setup.add({ state: "message", params: { channel: "stage", topic: "t", from } });
    const { email, api_key: apiKey } = setup.credentials(from);
    const messageId = Number(values.message_id);
    written.push({ messageId, email, apiKey, edits: 0, uploads: new Map(), notes: [] });
  }
  const client = ({ email, apiKey }: Acknowledged) => createChatClient({ baseUrl: server.url, email, apiKey });

  for (let round = 0; round < rounds; round++) {
    const before = written.map(({ edits }) => edits);
    const load = Promise.all(written.map((done) => write(client(done), done)));
    await sleep(loadMs);
    while (written.some(({ edits }, index) => edits < (before[index] ?? 0) + 2)) await sleep(20);
    server.child.kill("SIGKILL");
    await load;
    expect(await server.finished).toMatchObject({ signal: "SIGKILL", stderr: "" });
    expect(integrity(folder.path)).toEqual([{ integrity_check: "ok" }]);
    server = await start();
    for (const [index, done] of written.entries()) {
      expect(done.edits).toBeGreaterThan(before[index] ?? 0);
      const found = Number(/^edit (\d+)$/.exec((await contentsOf(client(done))).get(done.messageId) ?? "")?.[1]);
      expect([done.edits, done.edits + 1]).toContain(found);
      // The next round needs only the number, not the last writer.
      done.edits = found;
      const headers = { Authorization: `Basic ${btoa(`${done.email}:${done.apiKey}`)}` };
      for (const [path, text] of done.uploads) {
        const answer = await fetch(server.url + path, { headers });
        expect([answer.status, await answer.text()]).toEqual([200, text]);
      }
    }
  }

  for (const done of written) {
    const received = async () => [...(await contentsOf(client(done))).values()];
    const missing = async () => {
      const contents = await received();
      return done.notes.filter((note) => !contents.some((content) => content.includes(note)));
    };
    await expect.poll(missing, { interval: 200 }).toEqual([]);
    const contents = await received();
    for (const note of done.notes) {
      expect(
        contents.filter((content) => content.includes(note)),
        note,
      ).toHaveLength(1);
    }
  }
  server.child.kill("SIGTERM");
  expect(await server.finished).toMatchObject({ code: 0, stderr: "" });
  expect(integrity(folder.path)).toEqual([{ integrity_check: "ok" }]);
});
