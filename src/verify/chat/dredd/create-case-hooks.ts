import { readFile } from "node:fs/promises";
import { responseValidators } from "../../../../generated/chat/validators.js";
import { excerpt } from "../../excerpt.js";
import { maxUnanswered, serverDownReason } from "../../server-down.js";
import { compileValidators } from "../compile-validators.js";
import type { ResponseValidators } from "../response-validators.js";
import { createStatesClient } from "../states-client.js";
import { applyCase, widenExpectation } from "./apply-case.js";
import { caseOfTransaction } from "./case-of-transaction.js";
import { type DreddPlan, loadPlan } from "./dredd-plan.js";
import type { DreddMessage, DreddResult } from "./dredd-result.js";
import type { DreddConfiguration, DreddTransaction } from "./dredd-transaction.js";
import { judgeTransaction } from "./judge-transaction.js";
import { type Preparation, prepareCase } from "./prepare-case.js";
import { type SentAgain, sendAgain } from "./send-again.js";
import { watchRequests } from "./watch-requests.js";

/** What is done around each transaction. */
export interface CaseHooks {
  readonly beforeAll: () => Promise<void>;
  readonly beforeEach: (transaction: DreddTransaction) => Promise<void>;
  readonly beforeEachValidation: (transaction: DreddTransaction) => Promise<void>;
  readonly afterEach: (transaction: DreddTransaction) => Promise<void>;
}

/** The case whose transaction is under way. */
interface RunningCase {
  readonly key: string;
  readonly started: number;
  readonly preparation: Preparation;
  /** What came of sending it again after a 429. */
  readonly again?: SentAgain;
}

/** Makes the hooks. The endpoint is where Dredd sends its requests: the API, with `/api/v1`. */
export async function createCaseHooks(configuration: DreddConfiguration): Promise<CaseHooks> {
  const plan = await loadPlan(process.env);
  const validators = await validatorsOf(plan);
  const { statesUrl, timeoutMs } = plan;
  const means = {
    apiUrl: configuration.endpoint.replace(/\/+$/, ""),
    ...(statesUrl === undefined ? {} : { states: createStatesClient(statesUrl, { timeoutMs }) }),
  };
  const requests = watchRequests();
  let running: RunningCase | undefined;
  let unanswered = 0;

  return {
    beforeAll: () => tell({ kind: "hooks-ran" }),
    beforeEach: async (transaction) => {
      running = undefined;
      if (!isChosen(transaction, configuration)) return;
      const key = caseOfTransaction(transaction);
      const planned = key === undefined ? undefined : plan.cases[key];
      if (key === undefined || planned === undefined) {
        // When Dredd is run by hand, the profile has cases of older levels, too.
        transaction.skip = true;
        return;
      }
      const started = performance.now();
      await tell({ kind: "started", key });
      transaction.id = `${key}: ${planned.one.summary}`;
      const preparation = unanswered < maxUnanswered ? await prepareCase(planned, means) : notSent;
      running = { key, started, preparation };
      if (preparation.kind === "decided") return showPrepared(transaction, preparation.result);
      applyCase(transaction, preparation.ready);
      requests.begin(Math.max(timeoutMs - (performance.now() - started), 1));
    },
    beforeEachValidation: async (transaction) => {
      if (running?.preparation.kind !== "ready") return;
      const { ready } = running.preparation;
      if (transaction.real?.statusCode === 429 && ready.planned.one.response.status !== 429) {
        const onWait = (ms: number) => tell({ kind: "waiting", ms });
        running = { ...running, again: await sendAgain(transaction, ready, { timeoutMs, onWait }) };
      }
      widenExpectation(transaction, ready);
    },
    afterEach: async (transaction) => {
      if (running === undefined) return;
      const { key, started, preparation, again = {} } = running;
      const fault = again.fault ?? requests.fault();
      const result =
        preparation.kind === "decided"
          ? preparation.result
          : await judgeTransaction(transaction, preparation.ready, {
              validators,
              failure: requests.failure(),
              ...again,
              ...(fault === undefined ? {} : { fault }),
            });
      unanswered = result.kind === "errored" && result.isUnanswered === true ? unanswered + 1 : 0;
      if (preparation.kind === "ready") showJudged(transaction, result, preparation.ready.mask);
      await tell({ kind: "result", key, result, durationMs: performance.now() - started });
    },
  };
}

/** As much as Dredd prints of a body. */
const longestShown = 10_000;

const notSent: Preparation = {
  kind: "decided",
  result: {
    kind: "errored",
    reason: serverDownReason,
    isUnanswered: true,
    trace: [],
  },
};

/** Whether Dredd will run a transaction. It asks the hooks about the others, too. */
function isChosen(
  { name, request }: DreddTransaction,
  { only, method, names, "dry-run": dryRun }: DreddConfiguration,
): boolean {
  const isNamed = only.length === 0 || only.includes(name);
  const hasMethod = method.length === 0 || method.includes(request.method);
  return isNamed && hasMethod && !names && dryRun !== true;
}

async function validatorsOf({ contractFile }: DreddPlan): Promise<ResponseValidators> {
  if (contractFile === undefined) return responseValidators;
  return compileValidators(JSON.parse(await readFile(contractFile, "utf8")));
}

/** Makes Dredd say why it does not send a request. */
function showPrepared(transaction: DreddTransaction, result: DreddResult): void {
  if (result.kind === "skipped") transaction.skip = true;
  if (result.kind === "errored") transaction.fail = [result.reason, result.help ?? ""].join("\n").trim();
}

/** Makes Dredd say what it did not find itself, and no secret. */
function showJudged(transaction: DreddTransaction, result: DreddResult, mask: (text: string) => string): void {
  const { request, real, test } = transaction;
  if (result.kind === "failed" && test !== undefined) {
    if (test.valid) transaction.fail = result.compared.join("\n");
    else test.message = [...result.dredd, ...result.compared].join("\n");
  }
  const { Authorization: _, ...headers } = request.headers;
  request.headers = "Authorization" in request.headers ? { ...headers, Authorization: "***" } : headers;
  request.body = mask(String(request.body ?? ""));
  if (real?.body !== undefined) real.body = excerpt(real.body, longestShown, mask);
}

/** Tells the process that has started Dredd; there is none when Dredd is run by hand. */
function tell(message: DreddMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
