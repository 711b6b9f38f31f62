import { sql } from "kysely";
import type { Database } from "../storage/database.js";
import type { Retries } from "./create-retries.js";

/** When something falls due in an organization for the first time. */
export interface NextDue {
  readonly realmId: number;
  /** UNIX seconds of the server's clock. */
  readonly at: number;
}

/**
 * The organizations that have reminders or scheduled messages pending, the most urgent first; rows that wait to be tried again do
 * not count. The index is walked from one organization to the next, so that those without any cost nothing.
 */
export function nextDue(database: Database, { isFree }: Pick<Retries, "isFree">): NextDue[] {
  return database.all(sql<NextDue>`
    with recursive
    reminding(id) as (
      select min(realm_id) from reminder
      union all select (select min(realm_id) from reminder where realm_id > reminding.id) from reminding where reminding.id is not null
    ),
    scheduling(id) as (
      select min(realm_id) from scheduled_message
      union all select (select min(realm_id) from scheduled_message where realm_id > scheduling.id) from scheduling where scheduling.id is not null
    )
    select realm.id as realmId, min(due_at) - realm.clock_offset_seconds as at from (
      select id, (
        select due_at from reminder where realm_id = reminding.id and ${isFree("reminder")} order by due_at limit 1
      ) as due_at from reminding where id is not null
      union all
      select id, (
        select due_at from scheduled_message where realm_id = scheduling.id and ${isFree("scheduled_message")} order by due_at limit 1
      ) from scheduling where id is not null
    ) as pending join realm on realm.id = pending.id
    where due_at is not null
    group by realm.id order by at`);
}
