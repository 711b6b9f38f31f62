import { afterAll, beforeAll, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { DatabaseError } from "../../../../reference/chat/storage/postgres/migrate.js";
import { openPostgres } from "../../../../reference/chat/storage/postgres/open-postgres.js";
import { createPool } from "../../../../reference/chat/storage/postgres/pool.js";
import { type PostgresCluster, startPostgres } from "../../../../scripts/bench/postgres-cluster.js";
import { chatContract, loadCases, loadContract } from "../../../../src/chat/contract.js";
import { listRules } from "../../../../src/contract/rest/rules.js";
import { verifyRest } from "../../../../src/verify/rest/verify-rest.js";
import { exitCode, formatSummary } from "../../../../src/verify.js";
import { levelOfRules } from "../../../support/level-of-rules.js";
import { needing } from "../../../support/needing.js";
import { type RoundRobin, startRoundRobin } from "../../../support/round-robin.js";
import { runCheck } from "../../../support/run-check.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { isThorough, sampleOf } from "../../../support/thorough.js";
import { wrongAnswersToNullBytes } from "../null-byte-calls.js";

const { describe } = needing("postgresql");

const rules = new Map(listRules(await loadContract()).map((rule) => [rule.id, rule]));
/** The cases at the newest level. */
const cases = (await loadCases()).filter(({ rule, also }) => {
  const shown = [rule, ...also].flatMap((id) => rules.get(id) ?? []);
  return levelOfRules(shown, newestLevel) === newestLevel;
});

let cluster: PostgresCluster;
let servers: ChatReference[];
let balancer: RoundRobin;

beforeAll(async () => {
  cluster = await startPostgres();
  const databaseUrl = await cluster.createDatabase("chat");
  const start = () => createChatReference({ databaseUrl, states: true, validateResponses: true });
  // They start together, and one of them migrates.
  servers = await Promise.all([start(), start(), start()]);
  balancer = await startRoundRobin(() => servers.map(({ url }) => url));
});
afterAll(async () => {
  await balancer.close();
  for (const server of servers) await server.close();
  cluster.stop();
});

const balanced = () => ({ url: balancer.url, statesUrl: `${balancer.url}/states` });

describe("three servers on one database", () => {
  it("refuse a null byte in every text, as with SQLite", async () => {
    expect(await wrongAnswersToNullBytes(balanced())).toEqual([]);
  });

  it("answer every case of the contract, whichever server gets a request", async () => {
    const wrong: string[] = [];
    const queue = [...sampleOf(cases, 3)];
    const work = async () => {
      for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
        const id = `case ${one.operationId}/${one.name}`;
        const outcome = await runCheck(id, newestLevel, balanced());
        if (outcome.kind !== "passed") wrong.push(`${id}: ${JSON.stringify(outcome)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(wrong).toEqual([]);
  });

  it("deliver each reminder once", async () => {
    const setup = await setUpChat(balanced(), { state: "organization", params: {} });
    const notes = Array.from({ length: 30 }, (_, index) => `note-${index}-end`);
    const create = async (note: string): Promise<void> => {
      const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + 1;
      const made = await setup.as("member").createReminder({ note, scheduled_delivery_timestamp });
      // On a busy machine, the time may have passed before the call arrived.
      if (!made.ok) return create(note);
    };
    for (const note of notes) await create(note);
    const received = async () => {
      const page = await setup.as("member").getMessages({ anchor: "newest", num_before: 100, num_after: 0 });
      return page.ok ? page.data.messages.map(({ content }) => content) : [];
    };
    await expect.poll(async () => (await received()).length, { interval: 200 }).toBe(notes.length);
    const contents = await received();
    for (const note of notes) expect(contents.filter((content) => content.includes(note))).toHaveLength(1);
  });

  it("count the requests of a user together", async () => {
    const databaseUrl = await cluster.createDatabase("limited");
    const perSecond = 0.02;
    const start = () => createChatReference({ databaseUrl, states: true, rateLimit: perSecond });
    const limited = await Promise.all([start(), start(), start()]);
    try {
      const setup = await setUpChat(limited[0] as ChatReference);
      const call = async (caller: string, { url }: ChatReference) => {
        const { email, api_key } = setup.credentials(caller);
        const headers = { Authorization: `Basic ${btoa(`${email}:${api_key}`)}` };
        return fetch(`${url}/api/v1/messages?anchor=newest&num_before=0&num_after=0`, { headers });
      };
      const startedAt = Date.now();
      const answers = await Promise.all([...limited, ...limited, ...limited].map((server) => call("member", server)));
      const allowed = 1 + perSecond * Math.ceil((Date.now() - startedAt) / 1000);
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed.length).toBeGreaterThanOrEqual(1);
      expect(passed.length).toBeLessThanOrEqual(allowed);
      const refused = answers.find(({ status }) => status === 429);
      expect(refused?.headers.get("Retry-After")).toBe("50");
      expect((await call("other", limited[1] as ChatReference)).status).toBe(200);
    } finally {
      for (const server of limited) await server.close();
    }
  });

  // In full, it takes minutes, and the cases above show most of it.
  it("keep the contract", async () => {
    const { url, statesUrl } = balanced();
    const part = isThorough ? {} : { only: ["editMessage"] };
    const options = { url: `${url}/api/v1`, statesUrl, strict: true, jobs: 16, timeoutMs: 300_000, ...part };
    const report = await verifyRest(await chatContract(), options);
    expect(exitCode(report), formatSummary(report)).toBe(0);
  });
});

describe("openPostgres", () => {
  it("refuses the schema of a newer server", async () => {
    const url = await cluster.createDatabase("newer");
    await (await openPostgres(url)).close();
    const pool = await createPool(url, 1);
    await pool.query("update accord_schema set version = version + 1");
    await pool.end();
    await expect(openPostgres(url)).rejects.toThrow(/schema version \d+, and this server knows versions up to/);
  });

  it("says that a database cannot be reached", async () => {
    await expect(openPostgres("postgres://accord@127.0.0.1:1/chat")).rejects.toThrow(DatabaseError);
  });
});
