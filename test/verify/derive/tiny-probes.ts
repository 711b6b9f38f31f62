import type { CallStep, Check } from "../../../src/contract/check.js";
import { chatProbes as listProbes } from "../../support/chat-probes.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";

/** The name of a probe of the tiny contract, which is its id without its operation. */
export const nameOf = ({ id }: Check) => id.replace("probe editNote/", "");

/** The call of a probe, which is its last step. */
export const callOf = ({ steps }: Check) => steps.at(-1) as CallStep;

/** The probes whose name matches, each with its name, what it sends for the parameter in its name, and the status that it expects. */
export async function probesOf(operation: TinyOperation, about: RegExp) {
  const probes = await listProbes(tinyContract(operation));
  return probes
    .filter((probe) => about.test(nameOf(probe)))
    .map((probe) => {
      const { with: values, expect } = callOf(probe);
      const sent = values[nameOf(probe).split("-")[0] ?? ""];
      return [nameOf(probe), isText(sent) ? sent.text : sent, expect.status];
    });
}

function isText(value: unknown): value is { readonly text: string } {
  return typeof value === "object" && value !== null && "text" in value;
}
