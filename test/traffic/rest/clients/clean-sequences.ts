import { conventionSequences } from "./clean-sequences/conventions.js";
import { messageSequences } from "./clean-sequences/messages.js";
import { organizationSequences } from "./clean-sequences/organization.js";
import { uploadAndDeviceSequences } from "./clean-sequences/uploads-and-devices.js";
import type { CleanSequence } from "./exchanges.js";

/** Sequences of well-behaved clients, among them those in which the order or the times of exchanges are unusual. */
export const cleanSequences: readonly CleanSequence[] = [
  ...conventionSequences,
  ...messageSequences,
  ...uploadAndDeviceSequences,
  ...organizationSequences,
];
