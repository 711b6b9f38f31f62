import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createScheduler, type Scheduler } from "../../../../reference/chat/delivery/create-scheduler.js";
import { createOrganization } from "../../../../reference/chat/organizations/create-organization.js";
import { roles } from "../../../../reference/chat/roles.js";
import { type Database, openChatDatabase } from "../../../../reference/chat/storage/database.js";
import type { Realm } from "../../../../reference/chat/storage/tables.js";
import { createUser } from "../../../../reference/chat/users/create-user.js";

const start = 1_800_000_000;
let database: Database;
let scheduler: Scheduler;
let faults: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ now: start * 1000, toFake: ["setTimeout", "clearTimeout", "Date"] });
  database = openChatDatabase();
  faults = [];
  scheduler = createScheduler({ database, clock: { now: () => Date.now() }, onFault: (error) => faults.push(error) });
});
afterEach(async () => {
  await scheduler.close();
  database.close();
  vi.useRealTimers();
});

function organization(aheadSeconds = 0): { realm: Realm; remind: (inSeconds: number, note?: string) => void } {
  const realm = createOrganization(database);
  database.run(
    database.sql.updateTable("realm").set({ clock_offset_seconds: aheadSeconds }).where("id", "=", realm.id),
  );
  const email = `hamlet@${realm.host}`;
  const { id } = createUser(database, { realmId: realm.id, fullName: "Hamlet", email, role: roles.member });
  const remind = (inSeconds: number, note = "") => {
    const due_at = start + aheadSeconds + inSeconds;
    database.run(database.sql.insertInto("reminder").values({ realm_id: realm.id, user_id: id, note, due_at }));
  };
  return { realm, remind };
}

/** Makes the delivery of every reminder with "poison" in its note fail. */
function breakDelivery(): void {
  database.execute(
    "create trigger broken before insert on message when new.content like '%poison%' begin select raise(abort, 'no'); end",
  );
}

const delivered = () =>
  database.all(database.sql.selectFrom("message").select("realm_id").orderBy("id")).map(({ realm_id }) => realm_id);

describe("createScheduler", () => {
  it("delivers on time by the clock of each organization, most urgent first", async () => {
    const [near, ahead] = [organization(), organization(5000)];
    near.remind(20);
    ahead.remind(10);
    near.remind(100);
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(delivered()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(delivered()).toEqual([ahead.realm.id]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(delivered()).toEqual([ahead.realm.id, near.realm.id]);
    await vi.advanceTimersByTimeAsync(80_000);
    expect(delivered()).toHaveLength(3);
  });

  it("delivers in batches what became due while no server was running", async () => {
    const one = organization();
    for (let index = 0; index < 50; index++) one.remind(-1000);
    scheduler.reschedule();
    vi.advanceTimersToNextTimer();
    expect(delivered().length).toBeGreaterThan(0);
    expect(delivered().length).toBeLessThan(50);
    await vi.advanceTimersByTimeAsync(100);
    expect(delivered()).toHaveLength(50);
  });

  it("notices an earlier row after reschedule, and within a minute without it", async () => {
    const one = organization();
    one.remind(7 * 24 * 60 * 60);
    scheduler.reschedule();
    one.remind(30);
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(delivered()).toHaveLength(1);
    one.remind(31);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(delivered()).toHaveLength(2);
  });

  it("has one timer, and none after close", async () => {
    const one = organization();
    one.remind(5);
    scheduler.reschedule();
    scheduler.reschedule();
    expect(vi.getTimerCount()).toBe(1);
    await scheduler.close();
    scheduler.reschedule();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reports a failed delivery, makes the others, and retries a minute later", async () => {
    const one = organization();
    one.remind(1, "poison");
    one.remind(2, "fine");
    breakDelivery();
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(62_000);
    expect(delivered()).toHaveLength(1);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.length).toBeLessThan(4);
    database.execute("drop trigger broken");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(delivered()).toHaveLength(2);
  });

  it("delivers other rows while one fails and reminders are added continuously", async () => {
    const one = organization();
    one.remind(1, "poison");
    breakDelivery();
    scheduler.reschedule();
    const wanted = 30;
    for (let added = 0; added < wanted; added++) {
      await vi.advanceTimersByTimeAsync(30_000);
      one.remind((added + 1) * 30 + 5);
      scheduler.reschedule();
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(delivered()).toHaveLength(wanted);
  });

  it("does not let many failing rows block later ones, in any organization", async () => {
    const [one, other] = [organization(), organization()];
    for (let index = 0; index < 50; index++) one.remind(1, "poison");
    one.remind(2);
    other.remind(3);
    breakDelivery();
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(delivered()).toEqual([one.realm.id, other.realm.id]);
    expect(faults).toHaveLength(50);
    // Waiting rows cause no work, and each is retried once a minute.
    await vi.advanceTimersByTimeAsync(50_000);
    expect(faults).toHaveLength(50);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(faults).toHaveLength(100);
  });

  it("retries everything a minute after a disk failure", async () => {
    const one = organization();
    one.remind(1);
    const broken = vi.spyOn(database, "settled").mockRejectedValue(new Error("full"));
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(2_000);
    broken.mockRestore();
    one.remind(3);
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(faults).toEqual([new Error("full")]);
    expect(delivered()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(32_000);
    expect(delivered()).toHaveLength(2);
  });
});

describe("housekeeping", () => {
  const minute = 60_000;

  it("runs every hour although reminders are added continuously", async () => {
    const one = organization();
    let times = 0;
    scheduler = createScheduler({
      database,
      clock: { now: () => Date.now() },
      housekeeping: () => void times++,
      onFault: (error) => faults.push(error),
    });
    scheduler.reschedule();
    for (let passed = 0; passed < 125 * minute; passed += minute / 2) {
      await vi.advanceTimersByTimeAsync(minute / 2);
      one.remind(7 * 24 * 60 * 60);
      scheduler.reschedule();
    }
    expect(times).toBe(3);
  });

  it("reports a failure and runs again an hour later", async () => {
    scheduler = createScheduler({
      database,
      clock: { now: () => Date.now() },
      housekeeping: () => Promise.reject(new Error("no")),
      onFault: (error) => faults.push(error),
    });
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(59 * minute);
    expect(faults).toEqual([new Error("no")]);
    await vi.advanceTimersByTimeAsync(3 * minute);
    expect(faults).toHaveLength(2);
  });

  it("is aborted by close, which waits for it", async () => {
    const events: string[] = [];
    scheduler = createScheduler({
      database,
      clock: { now: () => Date.now() },
      housekeeping: async (signal) => {
        while (!signal.aborted) await new Promise((resolve) => setImmediate(resolve));
        events.push("stopped");
      },
      onFault: (error) => faults.push(error),
    });
    scheduler.reschedule();
    await vi.advanceTimersByTimeAsync(minute);
    await scheduler.close();
    events.push("closed");
    expect(events).toEqual(["stopped", "closed"]);
  });
});
