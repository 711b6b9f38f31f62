import type { StateSetups } from "../state-setup.js";
import { channelStates } from "./channel-states.js";
import { configurationStates } from "./configuration-states.js";
import { messageStates } from "./message-states.js";
import { organizationStates } from "./organization-states.js";
import { pushStates } from "./push-states.js";
import { uploadStates } from "./upload-states.js";
import { userGroupStates } from "./user-group-states.js";
import { userStates } from "./user-states.js";

/** Every provider state of `openapi/states.yaml`. */
export const setups: Partial<StateSetups> = {
  ...organizationStates,
  ...configurationStates,
  ...channelStates,
  ...messageStates,
  ...userStates,
  ...userGroupStates,
  ...uploadStates,
  ...pushStates,
};
