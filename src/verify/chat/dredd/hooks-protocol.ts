import { readFile } from "node:fs/promises";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../contract/chat/cases.js";
import { loadContract } from "../../../contract/chat/contract-file.js";
import type { ContractDocument } from "../../../contract/chat/document.js";
import { atFeatureLevel } from "../../../contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../contract/chat/level/cases-at-level.js";
import { findReadBack, type ReadBack } from "../../../contract/chat/read-back.js";
import type { Exchange } from "../../check.js";
import { defaultRunOptions } from "../../run-options.js";
import { type ExpectedResponse, expectedResponse } from "./expected-response.js";

/** The input of the hooks, as JSON. */
export interface DreddPlan {
  /** Every case to run, by `<operationId>/<name>`. */
  readonly cases: Readonly<Record<string, PlannedCase>>;
  /** How to find out whether a refused request changed something. Omitted if the contract does not say. */
  readonly readBack?: ReadBack;
  /** If omitted, cases that need provider states are skipped. */
  readonly statesUrl?: string;
  /** How long a case may take, including its states, in milliseconds. */
  readonly timeoutMs: number;
  /** The file with the contract. Omitted for the newest level. */
  readonly contractFile?: string;
}

/** A case and the response that the contract expects. */
export interface PlannedCase extends ExpectedResponse {
  readonly testCase: Case;
}

/** The environment variables of the hooks: the file with the plan, or the URL of the provider states. */
export const planVariable = "ACCORD_DREDD_PLAN";
export const statesVariable = "ACCORD_STATES_URL";

/** Returns the key of a case in a plan. */
export function caseKey({ operationId, name }: Pick<Case, "operationId" | "name">): string {
  return `${operationId}/${name}`;
}

/** Returns the path of a case in the contract that a verification gives to Dredd. */
export function pathOfCase(key: string): string {
  return `/${key}`;
}

/** Returns the key of the case with a path; undefined if it is not the path of one. */
export function keyOfPath(path: string): string | undefined {
  return path.startsWith("/") ? path.slice(1) : undefined;
}

/** Plans cases. `document` is the contract as of the server's level. */
export function planCases(document: ContractDocument, cases: readonly Case[]): DreddPlan["cases"] {
  return Object.fromEntries(
    cases.map((testCase) => [caseKey(testCase), { testCase, ...expectedResponse(document, testCase) }]),
  );
}

/** Plans how to read back. `document` is the contract as of the server's level. */
export function planReadBack(document: ContractDocument): Pick<DreddPlan, "readBack"> {
  const readBack = findReadBack(document);
  return readBack === undefined ? {} : { readBack };
}

/** Whether Dredd is run by hand, so that people read its output. */
export function isRunByHand(environment: NodeJS.ProcessEnv): boolean {
  return environment[planVariable] === undefined;
}

/** Loads the plan of a verification. If Dredd is run by hand, plans all cases of the newest level. */
export async function loadPlan(environment: NodeJS.ProcessEnv): Promise<DreddPlan> {
  const { [planVariable]: file, [statesVariable]: statesUrl } = environment;
  if (file !== undefined) return JSON.parse(await readFile(file, "utf8"));
  const document = await loadContract();
  const newest = atFeatureLevel(document, newestLevel);
  return {
    cases: planCases(newest, casesAtLevel(document, newestLevel)),
    ...planReadBack(newest),
    timeoutMs: defaultRunOptions.timeoutMs,
    ...(statesUrl === undefined || statesUrl === "" ? {} : { statesUrl }),
  };
}

/** A message of the hooks to the process that started Dredd. */
export type DreddMessage =
  /** Proves that the hooks ran. */
  | { readonly kind: "hooks-ran" }
  | { readonly kind: "started"; readonly key: string }
  /** The server asked to wait. */
  | { readonly kind: "waiting"; readonly ms: number }
  | { readonly kind: "result"; readonly key: string; readonly result: DreddResult; readonly durationMs: number };

/** The result of a case. All texts are masked. */
export type DreddResult =
  | { readonly kind: "passed"; readonly isReadBack?: boolean }
  /**
   * The response is as expected, except for its status, which the contract only recommends, or for a change that a refused request made.
   */
  | {
      readonly kind: "deviated";
      readonly deviation?: string;
      readonly changed?: string;
      readonly trace: readonly Exchange[];
    }
  /** The problems that Dredd found, and those that the comparison of this package found, one sentence each. */
  | {
      readonly kind: "failed";
      readonly dredd: readonly string[];
      readonly compared: readonly string[];
      /** Whether the server accepted a request that it must refuse. Defaults to false. */
      readonly letThrough?: boolean;
      /** Whether the schemas forbid the response. Defaults to false. */
      readonly forbidden?: boolean;
      /** What the request changed although it was refused, as a sentence. Omitted if nothing. */
      readonly changed?: string;
      readonly trace: readonly Exchange[];
    }
  | { readonly kind: "skipped"; readonly reason: string }
  | {
      readonly kind: "errored";
      readonly reason: string;
      readonly help?: string;
      readonly trace: readonly Exchange[];
      /** Whether the reason is that the server did not respond. */
      readonly isUnanswered?: boolean;
    };
