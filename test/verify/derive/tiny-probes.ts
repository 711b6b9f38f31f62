import { expectedOf } from "../../../src/contract/calls.js";
import type { CallStep, Check } from "../../../src/contract/check.js";
import { chatProbes as listProbes } from "../../support/chat-probes.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

/** The name of a probe of the tiny contract, which is its id without its operation. */
export const nameOf = ({ id }: Check) => id.replace("probe editNote/", "");

/** The call of a probe, which is its last step. */
export const callOf = ({ steps }: Check) => steps.at(-1) as CallStep;

/**
 * The probes whose name matches, each with its name, what it sends for the parameter in its name, the status that it expects (`any` without one), and how it writes
 * the parameter unless that is an encoded text.
 */
export async function probesOf(operation: TinyOperation, about: RegExp) {
  const probes = await listProbes(tinyContract(operation));
  return probes
    .filter((probe) => about.test(nameOf(probe)))
    .map((probe) => {
      const call = callOf(probe);
      const { with: values, written = {} } = call;
      const [parameter = ""] = nameOf(probe).split("-");
      const how = written[parameter];
      return [
        nameOf(probe),
        values[parameter],
        expectedOf(call).status ?? "any",
        ...(how === undefined || how === "text" ? [] : [how]),
      ];
    });
}
