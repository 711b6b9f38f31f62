import type { ChatHandlers, OperationId } from "../../src/chat/server/index.js";
import type { Clock } from "./clock.js";
import type { LevelBehaviour } from "./level-behaviour.js";
import type { Database } from "./storage/database.js";
import type { Realm, User } from "./storage/tables.js";
import type { UploadFolder } from "./uploads/upload-folder.js";

/** What every part of the server works with. */
export interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** How a server of the chosen feature level behaves. */
  readonly behaviour: LevelBehaviour;
  /** Where the bytes of uploads are. */
  readonly uploads: UploadFolder;
  /** Looks again for what is due next, after a reminder or a scheduled message was added. */
  readonly reschedule: () => void;
}

/** Who calls, and the organization that the credentials belong to. All that a request may see or change is in there. */
export interface Caller {
  readonly user: User;
  readonly realm: Realm;
}

/** The handler of one operation. */
export type Operation<Id extends OperationId> = ChatHandlers<Caller>[Id];
