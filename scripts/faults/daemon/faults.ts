import type { DaemonFault } from "./fault.js";
import { callFaults } from "./faults/calls.js";
import { fetchingFaults } from "./faults/fetching.js";
import { fieldNumberFaults } from "./faults/field-numbers.js";
import { importFaults } from "./faults/imports.js";
import { malformedAnswerFaults } from "./faults/malformed-answers.js";
import { persistenceFaults } from "./faults/persistence.js";
import { previewFaults } from "./faults/previews.js";
import { rareRedactionFaults } from "./faults/rare-redaction.js";
import { otherRedactionFaults } from "./faults/redaction-elsewhere.js";
import { messageRedactionFaults } from "./faults/redaction-in-messages.js";
import { answerRedactionFaults } from "./faults/redaction-of-answers.js";
import { replyFaults } from "./faults/replies.js";
import { selectionFaults } from "./faults/selections.js";
import { contentFaults } from "./faults/subscription-content.js";
import { wireFormatFaults } from "./faults/wire-format.js";

/** Every fault of a daemon, by family. */
export const daemonFaults: readonly DaemonFault[] = [
  ...callFaults,
  ...wireFormatFaults,
  ...fieldNumberFaults,
  ...replyFaults,
  ...previewFaults,
  ...contentFaults,
  ...fetchingFaults,
  ...importFaults,
  ...selectionFaults,
  ...persistenceFaults,
  ...malformedAnswerFaults,
  ...messageRedactionFaults,
  ...answerRedactionFaults,
  ...otherRedactionFaults,
  ...rareRedactionFaults,
];
