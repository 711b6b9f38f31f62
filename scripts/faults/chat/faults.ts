import type { ChatFault } from "./fault.js";
import { authenticationFaults } from "./faults/authentication.js";
import { boundaryFaults } from "./faults/boundaries-and-texts.js";
import { channelFaults, subscriptionFaults, topicFaults } from "./faults/channels-and-topics.js";
import { messageChoiceFaults } from "./faults/choices-for-messages.js";
import { settingChoiceFaults } from "./faults/choices-for-settings.js";
import { combinationFaults } from "./faults/combinations.js";
import { fieldDetailFaults } from "./faults/details-of-fields.js";
import { editingFaults } from "./faults/editing.js";
import { refusedRequestFaults } from "./faults/effects-of-refused-requests.js";
import { effectsOnOthersFaults } from "./faults/effects-on-others.js";
import { leakFaults } from "./faults/leaks.js";
import { lostWriteFaults } from "./faults/lost-writes.js";
import { messageFieldFaults } from "./faults/message-fields.js";
import { movingFaults } from "./faults/moving.js";
import { organizationFaults, reminderFaults } from "./faults/organization.js";
import { parameterFaults } from "./faults/parameters.js";
import { rangeAndListFaults } from "./faults/ranges-and-lists.js";
import { readingFaults } from "./faults/reading.js";
import { channelRecommendationFaults } from "./faults/recommendations-on-channels.js";
import { settingsRecommendationFaults } from "./faults/recommendations-on-settings.js";
import { userRecommendationFaults } from "./faults/recommendations-on-users.js";
import { stateReportFaults } from "./faults/reported-by-states.js";
import { schemaFaults } from "./faults/schema.js";
import { sequenceFaults } from "./faults/sequences.js";
import { staleReadFaults } from "./faults/stale-reads.js";
import { envelopeFaults, headerFaults, statusFaults } from "./faults/status-and-envelope.js";
import { pushFaults, uploadFaults } from "./faults/uploads-and-push.js";
import { userFaults, userGroupFaults } from "./faults/users-and-groups.js";

/** Every fault of a chat server, by family. */
export const faults: readonly ChatFault[] = [
  ...schemaFaults,
  ...statusFaults,
  ...envelopeFaults,
  ...headerFaults,
  ...authenticationFaults,
  ...parameterFaults,
  ...readingFaults,
  ...messageFieldFaults,
  ...editingFaults,
  ...movingFaults,
  ...topicFaults,
  ...channelFaults,
  ...subscriptionFaults,
  ...userFaults,
  ...userGroupFaults,
  ...organizationFaults,
  ...reminderFaults,
  ...uploadFaults,
  ...pushFaults,
  ...lostWriteFaults,
  ...staleReadFaults,
  ...leakFaults,
  ...refusedRequestFaults,
  ...effectsOnOthersFaults,
  ...rangeAndListFaults,
  ...fieldDetailFaults,
  ...boundaryFaults,
  ...sequenceFaults,
  ...userRecommendationFaults,
  ...settingsRecommendationFaults,
  ...channelRecommendationFaults,
  ...messageChoiceFaults,
  ...settingChoiceFaults,
  ...combinationFaults,
  ...stateReportFaults,
];
