import { createDescriptions } from "../fault.js";
import type { Behaviour } from "./behaviour.js";
import {
  always,
  changesError,
  changesJson,
  changesMessages,
  changesParameters,
  changesRequest,
  changesResponse,
  changesSuccess,
  changesValues,
} from "./changes.js";
import * as operators from "./operators.js";

const general = {
  ...{ always, changesError, changesJson, changesMessages, changesParameters, changesRequest },
  ...{ changesResponse, changesSuccess, changesValues },
};

/** Describe the faults and variations of a chat server. */
export const { fault, variation } = createDescriptions<Behaviour, typeof general & typeof operators>({
  ...general,
  ...operators,
});
