import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import {
  createScheduler,
  type Scheduler,
  type SchedulerOptions,
} from "../../../../reference/chat/delivery/create-scheduler.js";
import { behaviourAt } from "../../../../reference/chat/level-behaviour.js";
import { createOrganization } from "../../../../reference/chat/organizations/create-organization.js";
import { roles } from "../../../../reference/chat/roles.js";
import type { Services } from "../../../../reference/chat/services.js";
import type { Database } from "../../../../reference/chat/storage/database.js";
import { openSqlite } from "../../../../reference/chat/storage/sqlite/open-sqlite.js";
import type { Realm } from "../../../../reference/chat/storage/tables.js";
import type { ChatDatabase } from "../../../../reference/chat/storage/transactions.js";
import { createUser } from "../../../../reference/chat/users/create-user.js";
import { executeSql } from "../../../support/execute-sql.js";

const startedAt = 1_800_000_000;
let opened: ChatDatabase;
let database: Database;
let scheduler: Scheduler;
let faults: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ now: startedAt * 1000, toFake: ["setTimeout", "clearTimeout", "Date"] });
  opened = openSqlite();
  database = opened.database;
  faults = [];
  scheduler = start();
});
afterEach(async () => {
  await scheduler.close();
  await opened.close();
  vi.useRealTimers();
});

function start({ housekeeping }: Pick<SchedulerOptions, "housekeeping"> = {}): Scheduler {
  const unused = (): never => {
    throw new Error("not needed");
  };
  const services: Services = {
    ...{ database, transactions: opened, clock: { now: () => Date.now() }, behaviour: behaviourAt(newestLevel) },
    ...{ reschedule: unused, afterCommit: unused },
  };
  return createScheduler({
    services,
    onFault: (error) => faults.push(error),
    housekeeping,
  });
}

/** Advances the time, and waits for the database work that this starts: while the scheduler works, it has no timer. */
async function pass(ms: number, stepMs = 1000): Promise<void> {
  await settle();
  for (let left = ms; left > 0; left -= stepMs) {
    await vi.advanceTimersByTimeAsync(Math.min(left, stepMs));
    if (vi.getTimerCount() === 0) await settle();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(0);
  }
}

async function organization(
  aheadSeconds = 0,
): Promise<{ realm: Realm; remind: (inSeconds: number, note?: string) => Promise<void> }> {
  const realm = await createOrganization(database);
  await database.updateTable("realm").set({ clock_offset_seconds: aheadSeconds }).where("id", "=", realm.id).execute();
  const email = `hamlet@${realm.host}`;
  const { id } = await createUser(database, { realmId: realm.id, fullName: "Hamlet", email, role: roles.member });
  const remind = async (inSeconds: number, note = "") => {
    const due_at = startedAt + aheadSeconds + inSeconds;
    await database.insertInto("reminder").values({ realm_id: realm.id, user_id: id, note, due_at }).execute();
  };
  return { realm, remind };
}

/** Makes the delivery of every reminder with "poison" in its note fail. */
async function breakDelivery(): Promise<void> {
  await executeSql(
    database,
    "create trigger broken before insert on message when new.content like '%poison%' begin select raise(abort, 'no'); end",
  );
}

const delivered = async () =>
  (await database.selectFrom("message").select("realm_id").orderBy("id").execute()).map(({ realm_id }) => realm_id);

describe("createScheduler", () => {
  it("delivers on time by the clock of each organization, most urgent first", async () => {
    const [near, ahead] = [await organization(), await organization(5000)];
    await near.remind(20);
    await ahead.remind(10);
    await near.remind(100);
    scheduler.reschedule();
    await pass(9_000);
    expect(await delivered()).toEqual([]);
    await pass(1_000);
    expect(await delivered()).toEqual([ahead.realm.id]);
    await pass(10_000);
    expect(await delivered()).toEqual([ahead.realm.id, near.realm.id]);
    await pass(80_000);
    expect(await delivered()).toHaveLength(3);
  });

  it("notices an earlier row after reschedule, and within a minute without it", async () => {
    const one = await organization();
    await one.remind(7 * 24 * 60 * 60);
    scheduler.reschedule();
    await one.remind(30);
    scheduler.reschedule();
    await pass(30_000);
    expect(await delivered()).toHaveLength(1);
    await one.remind(31);
    await pass(61_000);
    expect(await delivered()).toHaveLength(2);
  });

  it("has one timer, and none after close", async () => {
    const one = await organization();
    await one.remind(5);
    scheduler.reschedule();
    scheduler.reschedule();
    await pass(1);
    expect(vi.getTimerCount()).toBe(1);
    await scheduler.close();
    scheduler.reschedule();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reports a failed delivery, makes the others, and retries a minute later", async () => {
    const one = await organization();
    await one.remind(1, "poison");
    await one.remind(2, "fine");
    await breakDelivery();
    scheduler.reschedule();
    await pass(62_000);
    expect(await delivered()).toHaveLength(1);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThan(4);
    await executeSql(database, "drop trigger broken");
    await pass(60_000);
    expect(await delivered()).toHaveLength(2);
  });

  it("delivers other rows while one fails and reminders are added continuously", async () => {
    const one = await organization();
    await one.remind(1, "poison");
    await breakDelivery();
    scheduler.reschedule();
    const wanted = 30;
    for (let added = 0; added < wanted; added++) {
      await pass(30_000, 10_000);
      await one.remind((added + 1) * 30 + 5);
      scheduler.reschedule();
    }
    await pass(10_000);
    expect(await delivered()).toHaveLength(wanted);
  });

  it("does not let many failing rows block later ones, in any organization", async () => {
    const [one, other] = [await organization(), await organization()];
    for (let index = 0; index < 50; index++) await one.remind(1, "poison");
    await one.remind(2);
    await other.remind(3);
    await breakDelivery();
    scheduler.reschedule();
    await pass(4_000);
    expect(await delivered()).toEqual([one.realm.id, other.realm.id]);
    expect(faults).toHaveLength(50);
    // Waiting rows cause no work, and each is retried once a minute.
    await pass(50_000);
    expect(faults).toHaveLength(50);
    await pass(60_000);
    expect(faults).toHaveLength(100);
  });

  it("retries everything a minute after a disk failure", async () => {
    const one = await organization();
    await one.remind(1);
    const broken = vi.spyOn(opened, "write").mockRejectedValue(new Error("full"));
    scheduler.reschedule();
    await pass(2_000);
    broken.mockRestore();
    await one.remind(3);
    scheduler.reschedule();
    await pass(30_000);
    expect(faults).toEqual([new Error("full")]);
    expect(await delivered()).toEqual([]);
    await pass(32_000);
    expect(await delivered()).toHaveLength(2);
  });
});

describe("housekeeping", () => {
  const minute = 60_000;

  it("runs every hour although reminders are added continuously", async () => {
    const one = await organization();
    let times = 0;
    scheduler = start({
      housekeeping: () => void times++,
    });
    scheduler.reschedule();
    for (let passed = 0; passed < 125 * minute; passed += minute / 2) {
      await pass(minute / 2, minute);
      await one.remind(7 * 24 * 60 * 60);
      scheduler.reschedule();
    }
    expect(times).toBe(3);
  });

  it("reports a failure and runs again an hour later", async () => {
    scheduler = start({
      housekeeping: () => Promise.reject(new Error("no")),
    });
    scheduler.reschedule();
    await pass(59 * minute, minute);
    expect(faults).toEqual([new Error("no")]);
    await pass(3 * minute, minute);
    expect(faults).toHaveLength(2);
  });

  it("is aborted by close, which waits for it", async () => {
    const events: string[] = [];
    scheduler = start({
      housekeeping: async (signal) => {
        while (!signal.aborted) await new Promise((resolve) => setImmediate(resolve));
        events.push("stopped");
      },
    });
    scheduler.reschedule();
    await pass(minute, minute);
    await scheduler.close();
    events.push("closed");
    expect(events).toEqual(["stopped", "closed"]);
  });
});
