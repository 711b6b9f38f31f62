import type { ChatHandlers, OperationId } from "../../src/chat/server/index.js";
import type { Clock } from "./clock.js";
import type { LevelBehaviour } from "./level-behaviour.js";
import type { Database } from "./storage/database.js";
import type { Realm, User } from "./storage/tables.js";
import type { ChatDatabase } from "./storage/transactions.js";

/** Dependencies of every part of the server. */
export interface Services {
  /** The transaction of a handler; outside of a transaction, each statement stands alone. */
  readonly database: Database;
  readonly transactions: ChatDatabase;
  readonly clock: Clock;
  /** Behaviour at the chosen feature level. */
  readonly behaviour: LevelBehaviour;
  /** Recomputes the next delivery after a reminder or scheduled message was added. */
  readonly reschedule: () => void;
  /** Runs an effect beyond the database once the transaction is committed; immediately outside of one. */
  readonly afterCommit: (effect: () => void | Promise<void>) => void;
}

/** The user of the credentials and their organization. A request can see and change nothing outside of this organization. */
export interface Caller {
  readonly user: User;
  readonly realm: Realm;
}

/** The handler of one operation. */
export type Operation<Id extends OperationId> = ChatHandlers<Caller>[Id];

/** Runs work in a transaction, and its effects after the commit. Rejects with what the work throws; then nothing has changed. */
export async function inTransaction<Result>(
  services: Services,
  kind: "read" | "longRead" | "write",
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const { effects, result } = await services.transactions[kind](async (database) => {
    // Created here, because the work may be repeated.
    const effects: (() => void | Promise<void>)[] = [];
    const result = await work({ ...services, database, afterCommit: (effect) => void effects.push(effect) });
    return { effects, result };
  });
  for (const effect of effects) await effect();
  return result;
}
