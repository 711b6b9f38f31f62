import type { Fault, FaultRow, Variation } from "../fault.js";
import type { DaemonBehaviour } from "./behaviour.js";

/** A wrong behaviour of a daemon. All rules and RPCs that it breaks must be reported. */
export type DaemonFault = Fault<DaemonBehaviour>;

export type DaemonFaultRow = FaultRow<DaemonBehaviour>;

/** A behaviour of a daemon that may deviate from recommendations, but breaks no rule that the requirements state. */
export type DaemonVariation = Variation<DaemonBehaviour>;

/** Cases without secrets, which run in a moment. None of them notices a missed fault. */
export const quickCases = ["preview-", "apply-", "select-", "login-", "fetch-again", "fetch-with"].map(
  (name) => `case ${name}`,
);
