import type { DaemonVariation } from "./fault.js";
import { choiceVariations } from "./variations/choices.js";
import { errorVariations } from "./variations/errors.js";
import { nameVariations } from "./variations/names.js";
import { networkVariations } from "./variations/networks.js";
import { replyVariations } from "./variations/replies.js";
import { secretVariations } from "./variations/secrets.js";
import { transportVariations } from "./variations/transport.js";

/** Every variation of a daemon. */
export const daemonVariations: readonly DaemonVariation[] = [
  ...replyVariations,
  ...choiceVariations,
  ...errorVariations,
  ...networkVariations,
  ...secretVariations,
  ...nameVariations,
  ...transportVariations,
];
