import type { ChatHandlers, OperationId } from "../../src/chat/server/index.js";
import type { Clock } from "./clock.js";
import type { LevelBehaviour } from "./level-behaviour.js";
import type { LoginMethods } from "./organizations/login-methods.js";
import type { Sessions } from "./sessions.js";
import type { Database } from "./storage/database.js";
import type { Realm, User } from "./storage/tables.js";
import type { UploadFolder } from "./uploads/upload-folder.js";

/** Dependencies of every part of the server. */
export interface Services {
  readonly database: Database;
  readonly clock: Clock;
  /** Behaviour at the chosen feature level. */
  readonly behaviour: LevelBehaviour;
  /** The bytes of uploads. */
  readonly uploads: UploadFolder;
  readonly sessions: Sessions;
  readonly loginMethods: LoginMethods;
  /** Recomputes the next delivery after a reminder or scheduled message was added. */
  readonly reschedule: () => void;
}

/** The user of the credentials and their organization. A request can see and change nothing outside of this organization. */
export interface Caller {
  readonly user: User;
  readonly realm: Realm;
}

/** The handler of one operation. */
export type Operation<Id extends OperationId> = ChatHandlers<Caller>[Id];
