import { createDescriptions } from "../fault.js";
import type { DaemonBehaviour } from "./behaviour.js";
import { withNumbers, withType } from "./changed-fields.js";
import {
  afterApply,
  afterFailedApply,
  afterSelect,
  beforeEach,
  fetches,
  lacks,
  networks,
  numbers,
  previews,
  reads,
} from "./changed-handlers.js";
import { changesFetchErrors, quotes, quotesInstead, repliesInstead } from "./fetch-errors.js";
import { respondsRaw } from "./raw-response.js";

const operators = {
  ...{ withNumbers, withType, afterApply, afterFailedApply, afterSelect, beforeEach, fetches, lacks },
  ...{ networks, numbers, previews, reads, changesFetchErrors, quotes, quotesInstead, repliesInstead, respondsRaw },
};

/** Describe the faults and variations of a daemon. */
export const { fault, variation } = createDescriptions<DaemonBehaviour, typeof operators>(operators);
