import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Locker } from "@tus/server";
import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { creatorOf } from "../parts.js";

/** How long a lock lasts after its server has stopped renewing it. */
const leaseMs = 60_000;
const renewMs = 15_000;
/** How often a server asks for a lock that another one holds, and for how long. */
const askMs = 250;
const maxWaitMs = 30_000;

/**
 * Adds locks in the database to the locks of one server, because a bucket has none: two servers that write to one upload at the same time
 * would mix its bytes. The clock is that of the database.
 */
export function createSharedLocker(local: Locker, database: Database): Locker {
  const now = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

  async function take(id: string, holder: string): Promise<boolean> {
    const realmId = creatorOf(id)?.realm_id ?? 0;
    const { rows } = await sql`
      insert into upload_lock (realm_id, id, holder, until_ms) values (${realmId}, ${id}, ${holder}, ${now} + ${leaseMs})
      on conflict (realm_id, id) do update set holder = excluded.holder, until_ms = excluded.until_ms
        where upload_lock.until_ms < ${now} or upload_lock.holder = excluded.holder
      returning id`.execute(database);
    return rows.length > 0;
  }

  return {
    newLock: (id) => {
      const lock = local.newLock(id);
      const holder = randomUUID();
      let renewing: NodeJS.Timeout | undefined;
      return {
        lock: async (signal, requestRelease) => {
          await lock.lock(signal, requestRelease);
          const end = Date.now() + maxWaitMs;
          try {
            while (!(await take(id, holder))) {
              if (signal.aborted || Date.now() > end)
                throw { status_code: 423, body: "Another request is using this upload" };
              await wait(askMs);
            }
          } catch (error) {
            await lock.unlock();
            throw error;
          }
          // Without the lock, the request must not go on.
          const renew = () => take(id, holder).then((isHeld) => isHeld || requestRelease(), requestRelease);
          renewing = setInterval(() => void renew(), renewMs);
        },
        unlock: async () => {
          clearInterval(renewing);
          const realmId = creatorOf(id)?.realm_id ?? 0;
          await sql`delete from upload_lock where realm_id = ${realmId} and id = ${id} and holder = ${holder}`
            .execute(database)
            // The lock expires by itself.
            .catch(() => {});
          await lock.unlock();
        },
      };
    },
  };
}
