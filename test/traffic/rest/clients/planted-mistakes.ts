import type { PlantedMistake } from "./exchanges.js";
import { conventionMistakes } from "./planted-mistakes/conventions.js";
import { messageMistakes } from "./planted-mistakes/messages.js";
import { organizationMistakes } from "./planted-mistakes/organization.js";
import { uploadAndDeviceMistakes } from "./planted-mistakes/uploads-and-devices.js";

/** Mistakes that the requirements name or imply, each as the exchanges that show it. */
export const plantedMistakes: readonly PlantedMistake[] = [
  ...messageMistakes,
  ...organizationMistakes,
  ...uploadAndDeviceMistakes,
  ...conventionMistakes,
];
