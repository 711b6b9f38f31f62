import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import type { Probe } from "../../../../src/verify/chat/probes/probe.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

/** The name of a probe of the tiny contract, which is its id without its operation. */
export const nameOf = ({ id }: Probe) => id.replace("probe editNote/", "");

/** The probes whose name matches, each with its name, the text that it sends, and the kind of response that it expects. */
export function probesOf(operation: TinyOperation, about: RegExp) {
  return listProbes(tinyContract(operation))
    .filter((probe) => about.test(nameOf(probe)))
    .map((probe) => [
      nameOf(probe),
      probe.change.kind === "replace" ? probe.change.text : probe.change.kind,
      probe.expectation.kind,
    ]);
}
