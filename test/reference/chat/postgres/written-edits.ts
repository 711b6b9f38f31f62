import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type ChatClient, createChatClient } from "../../../../src/chat/index.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const callers = ["owner", "administrator", "moderator", "member"] as const;

export const writerCount = callers.length;

/** The edits of one message; a message can be edited 1000 times. */
const maxEdits = 900;

interface EditedMessage {
  readonly id: number;
  /** Acknowledged edits. */
  edits: number;
}

/** Users, each of whom keeps editing one message. */
export interface Writers {
  /** Waits until each has made some more edits. */
  readonly progress: () => Promise<void>;
  /** The statuses of the responses so far. */
  readonly statuses: ReadonlySet<number>;
  /** The number of calls that got no response from a server. */
  readonly broken: () => number;
  /** Ends the load, and fails if an acknowledged write is lost. */
  readonly finish: () => Promise<void>;
}

/** Starts a load of edits through a balancer. `finish` fails if one got a status that is not among `expected`. */
export async function startWriters(url: string, expected: readonly number[]): Promise<Writers> {
  const setup = await setUpChat(
    { url, statesUrl: `${url}/states` },
    { state: "channel", params: { name: "stage", subscribers: [...callers] } },
  );
  const send = async (from: string) => {
    const { values } = await setup.add({ state: "message", params: { channel: "stage", topic: "t", from } });
    return { id: Number(values.message_id), edits: 0 };
  };
  const writers: { edits: number; readonly messages: EditedMessage[]; readonly from: string }[] = [];
  for (const from of callers) writers.push({ edits: 0, messages: [await send(from)], from });
  const clients = new Map(
    callers.map((from) => {
      const { email, api_key: apiKey } = setup.credentials(from);
      return [from as string, createChatClient({ baseUrl: url, email, apiKey, retry: { attempts: 1 } })];
    }),
  );
  const clientOf = (from: string) => clients.get(from) as ChatClient;
  const statuses = new Set<number>();
  let broken = 0;
  let isOver = false;
  const load = writers.map(async (writer) => {
    const { messages, from } = writer;
    while (!isOver) {
      let message = messages.at(-1) as EditedMessage;
      if (message.edits >= maxEdits) {
        const next = await send(from).catch(() => undefined);
        if (next === undefined) continue;
        messages.push(next);
        message = next;
      }
      const content = `edit ${message.edits + 1}`;
      const edit = await clientOf(from)
        .editMessage({ message_id: message.id, content })
        .catch(() => undefined);
      if (edit === undefined || Number(edit.status) === 502) {
        broken++;
        await sleep(20);
        continue;
      }
      statuses.add(edit.status);
      // A write whose answer was lost may have been stored; then there is nothing to change.
      if (edit.ok || edit.status === 400) {
        message.edits++;
        writer.edits++;
      } else await sleep(20);
    }
  });
  return {
    statuses,
    broken: () => broken,
    progress: async () => {
      const before = writers.map(({ edits }) => edits);
      const haveAll = () => writers.every(({ edits }, index) => edits > (before[index] ?? 0) + 1);
      await expect.poll(haveAll, { interval: 20 }).toBe(true);
    },
    finish: async () => {
      isOver = true;
      await Promise.all(load);
      expect([...statuses].filter((status) => !expected.includes(status))).toEqual([]);
      for (const { messages, from } of writers) {
        const message_ids = messages.map(({ id }) => id);
        const page = await clientOf(from).getMessages({ message_ids, apply_markdown: false });
        const contents = new Map(page.ok ? page.data.messages.map(({ id, content }) => [id, content]) : []);
        for (const { id, edits } of messages) {
          expect(Number(/^edit (\d+)$/.exec(contents.get(id) ?? "")?.[1])).toBeGreaterThanOrEqual(edits);
        }
      }
    },
  };
}
