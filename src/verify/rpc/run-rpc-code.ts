import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@bufbuild/protobuf";
import type { CallForm, CallStep, Check } from "../../contract/check.js";
import { literals } from "../../contract/expressions.js";
import type { Exchange } from "../../judge/exchange.js";
import { type CodeTarget, EndedError, runGuarded } from "../run/run-code.js";
import type { CheckRun } from "../run/run-steps.js";
import { runSteps } from "../run/run-steps.js";
import { rpcCaseCheck } from "./case-check.js";
import { createRpcSession, type RpcSession, type RpcTarget } from "./create-rpc-session.js";
import type {
  CaseRun,
  CheckedHost,
  CheckedLog,
  CheckedRpcServer,
  RpcExchange,
  RunCaseOptions,
} from "./define-rpc-check.js";
import type { LoadedRpcCheck } from "./rpc-code-checks.js";

/** The server under test, and what checks in code know of the run. */
export interface RpcCodeTarget extends Pick<CodeTarget, "guard" | "signal"> {
  readonly target: RpcTarget;
  readonly selected: ReadonlySet<string>;
  readonly log?: CheckedLog;
}

/** Runs a check in code. Rejects only once the run is aborted. */
export async function runRpcCode(check: LoadedRpcCheck, given: RpcCodeTarget): Promise<CheckRun> {
  const { target, selected, log, ...limits } = given;
  const sessions: RpcSession[] = [];
  const concealed: string[] = [];
  const open = () => {
    const session = createRpcSession(target, check.id);
    session.conceal(concealed);
    sessions.push(session);
    return session;
  };
  const own = open();
  const whole = {
    ...own,
    mask: (text: string) => sessions.reduce((masked, session) => session.mask(masked), text),
    trace: async () => (await Promise.all(sessions.map((session) => session.trace()))).flat(),
  };
  const run = async (options: RunCaseOptions = {}): Promise<CaseRun> => {
    const { name = check.example?.name, form, change = (request) => request } = options;
    const { isCanceled = false, isOpen = false } = options;
    const example = target.contract.cases.find((one) => one.name === name);
    if (example === undefined) throw new Error(`The contract has no case ${name}`);
    const session = open();
    let exchange: Exchange | undefined;
    const call: RpcSession["call"] = async (step, scope) => {
      if (step.id !== "call") return session.call(step, scope);
      const own: CallStep = { ...step, with: change(step.with), ...(form === undefined ? {} : { form }) };
      const { excuse, ...received } = isCanceled
        ? await cancelOnceFetched(own, (step) => session.call(step, scope), session)
        : await session.call(own, scope);
      exchange = received;
      return isOpen || excuse === undefined ? received : { ...received, excuse };
    };
    const { close: _, ...kept } = session;
    const planned = isOpen
      ? withoutEvidence(rpcCaseCheck({ ...example, open: "The check in code judges it" }, target.contract))
      : rpcCaseCheck(example, target.contract);
    const result = await runSteps(planned, { ...kept, call });
    return {
      example,
      exchange: exchange && seen(exchange),
      fetched: session.canTakeRequests() ? session.fetched() : undefined,
      conclude: () => {
        const isWell = result.outcome.kind === "passed" && result.outcome.shown === undefined;
        if (!isWell) throw new EndedError(result);
      },
    };
  };
  try {
    return await runGuarded(check, whole, limits, (verdicts) =>
      check.run({
        ...verdicts,
        ...{ contract: target.contract, run: target, selected, signal: limits.signal, runCase: run },
        log,
        mayCall: (rpc) => target.mayCall?.(rpc) !== false,
        setUp: (state, params = {}) => own.setUp({ state, params, organization: "own" }),
        serve: async (host) => (await own.serve?.({ kind: "serve", id: "host", host })) as unknown as CheckedHost,
        call: async (rpc, request, form) => seen(await own.call(stepOf(rpc, request, form), () => undefined)),
        fetches: target.probe.fetches,
        conceal: (texts) => {
          concealed.push(...texts);
          for (const session of sessions) session.conceal(texts);
        },
        giveUp: (reason, help) => {
          const outcome = { kind: "errored", reason, trace: [], help } as const;
          throw new EndedError({ outcome, isAnswered: true });
        },
      } satisfies CheckedRpcServer),
    );
  } finally {
    await Promise.all(sessions.map((session) => session.close?.()));
  }
}

const pollMs = 20;
const maxPolls = 100;
/** The time in which a server should notice that a call was cancelled. The host stays until then. */
const noticeMs = 500;

async function cancelOnceFetched(
  step: CallStep,
  call: (step: CallStep) => Promise<Exchange>,
  { fetched }: RpcSession,
): Promise<Exchange> {
  const cancel = new AbortController();
  const calling = call({ ...step, form: { ...step.form, cancel: cancel.signal } });
  for (let polls = 0; polls < maxPolls && fetched() === 0; polls++) await sleep(pollMs);
  cancel.abort();
  await sleep(noticeMs);
  return calling;
}

function stepOf(call: string, request: JsonObject, form?: CallForm): CallStep {
  const step = {
    kind: "call",
    id: "",
    as: "nobody",
    call,
    with: literals(request),
    expect: [],
  } as const;
  return form === undefined ? step : { ...step, form };
}

function seen({ status, body, facts }: Exchange): RpcExchange {
  const about = { status: String(status), texts: facts as RpcExchange["texts"] };
  return status === "ok" ? { ...about, reply: body as JsonObject } : about;
}

/** The same check, which leaves to code what shows its rules. */
function withoutEvidence(check: Check): Check {
  const steps = check.steps.map((step) =>
    step.kind === "call" ? { ...step, expect: step.expect.filter(({ shownBy }) => shownBy === undefined) } : step,
  );
  return { ...check, steps };
}
