import { conventionSequences } from "./clean-sequences/conventions.js";
import { messageSequences } from "./clean-sequences/messages.js";
import { organizationSequences } from "./clean-sequences/organization.js";
import { uploadAndDeviceSequences } from "./clean-sequences/uploads-and-devices.js";
import type { Call } from "./exchanges.js";

/** A sequence of exchanges of clients that keep every rule. */
export interface CleanSequence {
  readonly name: string;
  readonly calls: readonly Call[];
  /** The rules that it could have broken. */
  readonly keeps: readonly string[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

/** Sequences of well-behaved clients, among them those in which the order or the times of exchanges are unusual. */
export const cleanSequences: readonly CleanSequence[] = [
  ...conventionSequences,
  ...messageSequences,
  ...uploadAndDeviceSequences,
  ...organizationSequences,
];
