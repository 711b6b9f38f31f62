import { caseRequest } from "../chat/cases/case-request.js";
import { needsStates, setUpCase } from "../chat/cases/case-setup.js";
import { loadContract, loadStatesCatalogue } from "../chat/contract.js";
import type { Case } from "../contract/rest/cases.js";
import { atFeatureLevel } from "../contract/rest/level/at-feature-level.js";
import { casesAtLevel } from "../contract/rest/level/cases-at-level.js";
import { listOperations } from "../contract/rest/operations.js";
import { levelKey, transactionPath } from "../contract/rest/profiles/dredd-profile.js";
import { mediaType } from "../http/media-type.js";
import { createMask } from "../judge/mask.js";
import { isRefusal } from "../judge/refusal.js";
import { lacksState } from "../verify/states/catalogue.js";
import { createStatesClient, StateSetupError } from "../verify/states/states-client.js";
import { expectedResponse } from "./expected-response.js";
import type { DreddConfiguration, DreddTransaction } from "./transaction.js";

/** The hooks around each transaction. None of them rejects. */
export interface CaseHooks {
  /** Sets up the provider states of a case, and makes the transaction send the request of the case and expect its response. */
  readonly beforeEach: (transaction: DreddTransaction) => Promise<void>;
  /** Widens the expectation to everything that the contract allows. */
  readonly beforeEachValidation: (transaction: DreddTransaction) => Promise<void>;
  /** Hides secrets from the output. */
  readonly afterEach: (transaction: DreddTransaction) => Promise<void>;
}

/** The case of the running transaction. */
interface RunningCase {
  readonly testCase: Case;
  readonly mask: (text: string) => string;
}

/**
 * Creates the hooks for a run of Dredd on the chat contract in the profile for Dredd, as of the level that the document names. The URL of
 * the provider states is `ACCORD_STATES_URL`, or else `custom.states` of `dredd.yml`; without one, cases that need states are skipped.
 *
 * The hooks judge nothing: Dredd sends each request and compares its response. Rejects with an `Error` if the URL is invalid
 * or the document names no level.
 */
export async function createHooks(
  configuration: DreddConfiguration,
  { ACCORD_STATES_URL }: NodeJS.ProcessEnv,
): Promise<CaseHooks> {
  const document = await loadContract();
  const level = levelOf(configuration);
  const contract = atFeatureLevel(document, level);
  const operations = new Map(listOperations(contract).map((listed) => [listed.operation.operationId, listed]));
  const cases = new Map(
    casesAtLevel(document, level).flatMap((testCase) => {
      const listed = operations.get(testCase.operationId);
      if (listed === undefined) return [];
      const key = `${listed.method.toUpperCase()} ${transactionPath(listed, testCase)}`;
      return [[key, { testCase, operation: listed.operation }] as const];
    }),
  );
  const statesUrl = ACCORD_STATES_URL || configuration.custom.states;
  const states = statesUrl ? createStatesClient(statesUrl) : undefined;
  let running: RunningCase | undefined;

  async function prepare(transaction: DreddTransaction): Promise<void> {
    const { name, request } = transaction;
    const found = cases.get(`${request.method} ${name.split(" > ", 1)[0]}`);
    if (found === undefined) throw new Error(`The API description has a case that level ${level} lacks: ${remedy}`);
    const { testCase, operation } = found;
    transaction.id = `${testCase.operationId}/${testCase.name}: ${testCase.summary}`;
    if (needsStates(testCase) && states === undefined) return skip(transaction, noStates);
    const setup = await setUpCase(testCase, states);
    running = { testCase: setup.testCase, mask: createMask(setup.secrets) };
    const basePath = transaction.fullPath.slice(0, -request.uri.length);
    const { url, headers, bytes } = await caseRequest(setup.testCase, basePath, setup.credentials);
    transaction.fullPath = url;
    request.uri = url;
    // The server may close an idle connection just as it is reused.
    request.headers = { ...request.headers, ...headers, Connection: "close" };
    request.body = bytes;
    Object.assign(transaction.expected, expectedResponse(contract, operation, setup.testCase));
  }

  return {
    beforeEach: async (transaction) => {
      running = undefined;
      if (!isChosen(transaction, configuration)) return;
      try {
        await prepare(transaction);
      } catch (error) {
        // No keys are known here; this masks secret fields.
        const reason = createMask([])(error instanceof Error ? error.message : String(error));
        if (await isUnsupported(error)) skip(transaction, reason);
        else transaction.fail = reason;
      }
    },
    beforeEachValidation: async ({ real, expected }) => {
      if (real === undefined || running === undefined) return;
      const { open, recommendedBy } = running.testCase;
      const { statusCode: status, body: text = "", headers } = real;
      const isFixed = open === undefined && recommendedBy === undefined;
      if (!isFixed && isRefusal(contract, { status, text })) expected.statusCode = String(status);
      // Dredd compares media types as text, with their parameters.
      const [type = ""] = [headers["content-type"] ?? []].flat();
      if (mediaType(type) === expected.headers["Content-Type"]) expected.headers["Content-Type"] = type;
    },
    afterEach: async ({ request, real, test }) => {
      if (running === undefined || (test?.valid === true && !configuration.details)) return;
      const { mask } = running;
      request.uri = mask(request.uri);
      request.headers = maskValues(request.headers, mask);
      request.body = mask(String(request.body ?? ""));
      if (test !== undefined) test.message = mask(test.message);
      if (real === undefined) return;
      real.headers = maskValues(real.headers, mask);
      if (real.body !== undefined) real.body = mask(real.body);
    },
  };
}

const remedy = "write it with `accord spec chat --profile dredd` of this release";
const noStates = "it needs provider states: set ACCORD_STATES_URL, or custom.states in dredd.yml";

/** Reads the level of the document. Parsing the whole document, in YAML, takes a second. */
function levelOf({ apiDescriptions }: DreddConfiguration): number {
  const [, level] = new RegExp(`${levelKey}"?: ?(\\d+)`).exec(apiDescriptions[0]?.content ?? "") ?? [];
  if (level === undefined) throw new Error(`The API description has no ${levelKey}: ${remedy}`);
  return Number(level);
}

/** Whether Dredd will run a transaction. It calls the hooks for all. */
function isChosen(
  { name, request }: DreddTransaction,
  { only, method, names, "dry-run": dryRun }: DreddConfiguration,
): boolean {
  const isNamed = only.length === 0 || only.includes(name);
  const hasMethod = method.length === 0 || method.includes(request.method);
  return isNamed && hasMethod && !names && dryRun !== true;
}

/** Whether an error says that the server lacks a provider state. */
async function isUnsupported(error: unknown): Promise<boolean> {
  if (!(error instanceof StateSetupError)) return false;
  const { state, status } = error;
  return status !== undefined && lacksState(await loadStatesCatalogue(), state, status);
}

/** Skips a transaction. Dredd prints no reason, so its text gets it. */
function skip(transaction: DreddTransaction, reason: string): void {
  transaction.skip = true;
  transaction.id += ` (${reason})`;
}

function maskValues<Value extends string | string[]>(
  headers: Readonly<Record<string, Value>>,
  mask: (text: string) => string,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, mask([value].flat().join(", "))]);
  return { ...Object.fromEntries(entries), ...("Authorization" in headers ? { Authorization: "***" } : {}) };
}
