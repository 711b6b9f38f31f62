import { sql } from "kysely";
import type { Database } from "../storage/database.js";

/** The earliest due time of an organization. */
export interface NextDue {
  readonly realmId: number;
  /** UNIX seconds of the server's clock. */
  readonly at: number;
}

/**
 * Finds the organizations with pending reminders or scheduled messages, most urgent first.
 * The query skips through the index from one organization to the next, so organizations without pending rows cost nothing.
 */
export async function nextDue(database: Database): Promise<NextDue[]> {
  const pending = (name: "reminder" | "scheduled_message") => {
    const table = sql.table(name);
    return sql`
      with recursive organization(id) as (
        select min(realm_id) from ${table}
        union all
        select (select min(realm_id) from ${table} where realm_id > organization.id) from organization where id is not null
      )
      select id, (select min(due_at) from ${table} where realm_id = organization.id) as due_at
      from organization where id is not null`;
  };
  const { rows } = await sql<NextDue>`
    select realm.id as "realmId", min(pending.due_at) - realm.clock_offset_seconds as at from (
      select * from (${pending("reminder")}) as reminders
      union all
      select * from (${pending("scheduled_message")}) as messages
    ) as pending join realm on realm.id = pending.id
    where pending.due_at is not null
    group by realm.id, realm.clock_offset_seconds
    order by at`.execute(database);
  return rows;
}
