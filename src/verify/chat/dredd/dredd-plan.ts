import { readFile } from "node:fs/promises";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../contract/chat/cases.js";
import { loadContract } from "../../../contract/chat/contract-file.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { atFeatureLevel } from "../../../contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../contract/chat/level/cases-at-level.js";
import { defaultRunOptions } from "../../run-options.js";
import { type ExpectedResponse, expectedResponse } from "./expected-response.js";

/** What the hooks have to know, as JSON. */
export interface DreddPlan {
  /** Every case that is run, by `<operationId>/<name>`. */
  readonly cases: Readonly<Record<string, PlannedCase>>;
  /** Left out: cases that need provider states are skipped. */
  readonly statesUrl?: string;
  /** How long a case may take, its states included. */
  readonly timeoutMs: number;
  /** The file with the contract, when it is not that of the newest level. */
  readonly contractFile?: string;
}

/** A case and what its response has to be. */
export interface PlannedCase extends ExpectedResponse {
  readonly one: Case;
}

/** The environment variables of the hooks: the file with the plan, or where provider states are set up. */
export const planVariable = "ACCORD_DREDD_PLAN";
export const statesVariable = "ACCORD_STATES_URL";

/** The name by which a case is known here. */
export function caseKey({ operationId, name }: Pick<Case, "operationId" | "name">): string {
  return `${operationId}/${name}`;
}

/** Plans cases. `document` is the contract as of the level of the server. */
export function planCases(document: ContractDocument, cases: readonly Case[]): DreddPlan["cases"] {
  return Object.fromEntries(cases.map((one) => [caseKey(one), { one, ...expectedResponse(document, one) }]));
}

/** The plan of a verification, or when Dredd is run by hand one of all cases that hold at the newest level. */
export async function loadPlan(environment: NodeJS.ProcessEnv): Promise<DreddPlan> {
  const { [planVariable]: file, [statesVariable]: statesUrl } = environment;
  if (file !== undefined) return JSON.parse(await readFile(file, "utf8"));
  const document = await loadContract();
  return {
    cases: planCases(atFeatureLevel(document, newestLevel), casesAtLevel(document, newestLevel)),
    timeoutMs: defaultRunOptions.timeoutMs,
    ...(statesUrl === undefined || statesUrl === "" ? {} : { statesUrl }),
  };
}
