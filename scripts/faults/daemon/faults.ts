import type { DaemonFault } from "./fault.js";
import { callFaults } from "./faults/calls.js";
import { malformedAnswerFaults } from "./faults/malformed-answers.js";
import { persistenceFaults } from "./faults/persistence.js";
import { otherRedactionFaults } from "./faults/redaction-elsewhere.js";
import { messageRedactionFaults } from "./faults/redaction-in-messages.js";
import { answerRedactionFaults } from "./faults/redaction-of-answers.js";
import { replyFaults } from "./faults/replies.js";
import { wireFormatFaults } from "./faults/wire-format.js";

/** Every fault of a daemon, by family. */
export const daemonFaults: readonly DaemonFault[] = [
  ...callFaults,
  ...wireFormatFaults,
  ...replyFaults,
  ...persistenceFaults,
  ...malformedAnswerFaults,
  ...messageRedactionFaults,
  ...answerRedactionFaults,
  ...otherRedactionFaults,
];
