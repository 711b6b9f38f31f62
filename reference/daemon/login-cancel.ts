import type { DaemonHandlers } from "../../src/daemon/index.js";

/** Cancels a login. There are no logins here, and cancelling what is not under way is no error. */
export function loginCancel(): DaemonHandlers["loginCancel"] {
  return () => ({});
}
