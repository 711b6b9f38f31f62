import type { Call } from "./exchanges.js";
import { conventionMistakes } from "./planted-mistakes/conventions.js";
import { messageMistakes } from "./planted-mistakes/messages.js";
import { organizationMistakes } from "./planted-mistakes/organization.js";
import { uploadAndDeviceMistakes } from "./planted-mistakes/uploads-and-devices.js";

/** A mistake of a client: what it sends and gets, and the one rule that it breaks. */
export interface PlantedMistake {
  readonly name: string;
  readonly rule: string;
  readonly calls: readonly Call[];
  /** The feature level of the server. Defaults to the newest. */
  readonly level?: number;
}

/** Mistakes that the requirements name or imply, each as the exchanges that show it. */
export const plantedMistakes: readonly PlantedMistake[] = [
  ...messageMistakes,
  ...organizationMistakes,
  ...uploadAndDeviceMistakes,
  ...conventionMistakes,
];
