import { readFile } from "node:fs/promises";
import { operations } from "../../../../generated/chat/operations.js";
import { responseValidators } from "../../../../generated/chat/validators.js";
import type { Operation } from "../../../chat/operation.js";
import { isReadBack } from "../../../contract/chat/read-back.js";
import { excerpt } from "../../excerpt.js";
import { maxUnanswered, serverDownReason } from "../../server-down.js";
import { compileValidators, type ResponseValidators } from "../judge/validators.js";
import { createStatesClient } from "../states/states-client.js";
import { applyCase, type RetryResult, retryTransaction, widenExpectation } from "./adapt-transaction.js";
import type { DreddConfiguration, DreddTransaction } from "./dredd-api.js";
import {
  caseKey,
  type DreddMessage,
  type DreddPlan,
  type DreddResult,
  isRunByHand,
  keyOfPath,
  loadPlan,
} from "./hooks-protocol.js";
import { judgeTransaction } from "./judge-transaction.js";
import { type Preparation, prepareCase } from "./prepare-case.js";
import { findReadChange, type Reading, readAsCallers } from "./read-back.js";
import { watchRequests } from "./watch-requests.js";

/** The hooks around each transaction. */
export interface CaseHooks {
  readonly beforeAll: () => Promise<void>;
  readonly beforeEach: (transaction: DreddTransaction) => Promise<void>;
  readonly beforeEachValidation: (transaction: DreddTransaction) => Promise<void>;
  readonly afterEach: (transaction: DreddTransaction) => Promise<void>;
}

/** The case whose transaction is running. */
interface RunningCase {
  readonly key: string;
  readonly started: number;
  readonly preparation: Preparation;
  /** The results of the reads before the request. Omitted if no caller reads. */
  readonly before?: readonly Reading[];
  /** The result of the retry after a 429. */
  readonly retried?: RetryResult;
}

/** The state that all instances of Dredd in this process share. */
let loading: Promise<{ readonly plan: DreddPlan; readonly validators: ResponseValidators }> | undefined;

/** Creates the hooks. Dredd's `endpoint` is the URL of the API, with `/api/v1`. */
export async function createCaseHooks(configuration: DreddConfiguration): Promise<CaseHooks> {
  loading ??= loadPlan(process.env).then(async (plan) => ({ plan, validators: await loadValidators(plan) }));
  const { plan, validators } = await loading;
  const { statesUrl, timeoutMs } = plan;
  const target = {
    apiUrl: configuration.endpoint.replace(/\/+$/, ""),
    ...(statesUrl === undefined ? {} : { states: createStatesClient(statesUrl, { timeoutMs }) }),
  };
  const readLimits = { apiUrl: target.apiUrl, timeoutMs };
  const requests = watchRequests();
  let running: RunningCase | undefined;
  let unanswered = 0;

  /** Adds the changes that a refused request made to its result. */
  async function judgeReadBack(
    { real }: DreddTransaction,
    result: DreddResult,
    preparation: Preparation,
    before: readonly Reading[],
  ): Promise<DreddResult> {
    const isRefused = real !== undefined && real.statusCode >= 400 && real.statusCode !== 429;
    if (before.length === 0 || plan.readBack === undefined || preparation.kind !== "ready" || !isRefused) return result;
    if (result.kind === "errored" || result.kind === "skipped") return result;
    const { ready } = preparation;
    const after = await readAsCallers(ready, plan.readBack, readLimits);
    const change = await findReadChange(before, after, plan.readBack, ready.mask);
    if (change === undefined) return result.kind === "passed" ? { ...result, isReadBack: after.length > 0 } : result;
    const { problem: changed, trace } = change;
    if (result.kind === "passed") return { kind: "deviated", changed, trace };
    return { ...result, changed, trace: [...result.trace, ...trace] };
  }

  return {
    beforeAll: () => send({ kind: "hooks-ran" }),
    beforeEach: async (transaction) => {
      running = undefined;
      if (!isChosen(transaction, configuration)) return;
      const key = findCaseKey(transaction, plan);
      const planned = key === undefined ? undefined : plan.cases[key];
      if (key === undefined || planned === undefined) {
        // When Dredd is run by hand, the profile also has cases of older levels.
        transaction.skip = true;
        return;
      }
      const started = performance.now();
      await send({ kind: "started", key });
      transaction.id = `${key}: ${planned.testCase.summary}`;
      const preparation = unanswered < maxUnanswered ? await prepareCase(planned, target) : notSent;
      running = { key, started, preparation };
      if (preparation.kind === "decided") return reportUnsent(transaction, preparation.result);
      if (plan.readBack !== undefined && isReadBack(planned.testCase, plan.readBack)) {
        running = { ...running, before: await readAsCallers(preparation.ready, plan.readBack, readLimits) };
      }
      applyCase(transaction, preparation.ready);
      requests.begin(Math.max(timeoutMs - (performance.now() - started), 1));
    },
    beforeEachValidation: async (transaction) => {
      if (running?.preparation.kind !== "ready") return;
      const { ready } = running.preparation;
      if (transaction.real?.statusCode === 429 && ready.planned.testCase.response.status !== 429) {
        const onWait = (ms: number) => send({ kind: "waiting", ms });
        running = { ...running, retried: await retryTransaction(transaction, ready, { timeoutMs, onWait }) };
      }
      widenExpectation(transaction, ready);
    },
    afterEach: async (transaction) => {
      if (running === undefined) return;
      const { key, started, preparation, before = [], retried = {} } = running;
      const fault = retried.fault ?? requests.fault();
      const judged =
        preparation.kind === "decided"
          ? preparation.result
          : await judgeTransaction(transaction, preparation.ready, {
              validators,
              failure: requests.failure(),
              ...retried,
              ...(fault === undefined ? {} : { fault }),
            });
      const result = await judgeReadBack(transaction, judged, preparation, before);
      unanswered = result.kind === "errored" && result.isUnanswered === true ? unanswered + 1 : 0;
      if (preparation.kind === "ready") {
        if (isRunByHand(process.env)) reportJudged(transaction, result, preparation.ready.mask);
        else hide(transaction);
      }
      await send({ kind: "result", key, result, durationMs: performance.now() - started });
    },
  };
}

/** Maximum number of characters of a body that Dredd prints. */
const maxBodyLength = 10_000;

const notSent: Preparation = {
  kind: "decided",
  result: {
    kind: "errored",
    reason: serverDownReason,
    isUnanswered: true,
    trace: [],
  },
};

/** Whether Dredd will run a transaction. It calls the hooks for all. */
function isChosen(
  { name, request }: DreddTransaction,
  { only, method, names, "dry-run": dryRun }: DreddConfiguration,
): boolean {
  const isNamed = only.length === 0 || only.includes(name);
  const hasMethod = method.length === 0 || method.includes(request.method);
  return isNamed && hasMethod && !names && dryRun !== true;
}

async function loadValidators({ contractFile }: DreddPlan): Promise<ResponseValidators> {
  if (contractFile === undefined) return responseValidators;
  return compileValidators(JSON.parse(await readFile(contractFile, "utf8")));
}

const operationIds = new Map(
  Object.entries<Operation>(operations).map(([operationId, { method, path }]) => [`${method} ${path}`, operationId]),
);

/** Returns the key of the case that a transaction is made from; undefined if the case is not one of this package. */
function findCaseKey(
  { name, request }: Pick<DreddTransaction, "name" | "request">,
  { cases }: DreddPlan,
): string | undefined {
  const planned = keyOfPath(name.split(" > ", 1)[0] ?? "");
  if (planned !== undefined && Object.hasOwn(cases, planned)) return planned;
  const [, path = "", caseName = ""] = /^(\S+)#([\w.-]+) > /.exec(name) ?? [];
  const operationId = operationIds.get(`${request.method.toUpperCase()} ${path}`);
  return operationId === undefined ? undefined : caseKey({ operationId, name: caseName });
}

/** Makes Dredd report why a request is not sent. */
function reportUnsent(transaction: DreddTransaction, result: DreddResult): void {
  if (result.kind === "skipped") transaction.skip = true;
  if (result.kind === "errored") transaction.fail = [result.reason, result.help ?? ""].join("\n").trim();
}

/** Makes Dredd report the problems that it did not find itself, and hides secrets. */
function reportJudged(transaction: DreddTransaction, result: DreddResult, mask: (text: string) => string): void {
  const { request, real, test } = transaction;
  if (result.kind === "failed" && test !== undefined) {
    const own = [...result.compared, ...[result.changed ?? []].flat()];
    if (test.valid) transaction.fail = own.join("\n");
    else test.message = [...result.dredd, ...own].join("\n");
  }
  const { Authorization: _, ...headers } = request.headers;
  request.headers = "Authorization" in request.headers ? { ...headers, Authorization: "***" } : headers;
  request.body = mask(String(request.body ?? ""));
  if (real?.body !== undefined) real.body = excerpt(real.body, maxBodyLength, mask);
}

/** Removes all secrets from the output of Dredd. Nobody reads this output, and masking it would take longer than the request. */
function hide({ request, real }: DreddTransaction): void {
  request.headers = {};
  request.body = "";
  if (real !== undefined) real.body = "";
}

/** Sends a message to the process that started Dredd, if any. */
function send(message: DreddMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
