import type { ImportSubscription } from "./import/import-subscription.js";
import type { Database } from "./storage/database.js";

/** What the handlers work with. */
export interface Services {
  readonly database: Database;
  readonly importSubscription: ImportSubscription;
}
