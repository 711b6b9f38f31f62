import { setTimeout as sleep } from "node:timers/promises";
import type { LostRequest } from "../../judge/exchange.js";
import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import type { Outage } from "../../report/model/json-report.js";
import { abbreviateList } from "../../text/format-values.js";
import type { RequestAbout } from "../http/no-answer-error.js";
import { createIncident, type Incident, type Joined, type WatchedCheck } from "./incident.js";
import { isSuspect } from "./lost-request.js";
import { createLostWrites } from "./lost-writes.js";
import type { CheckRun } from "./run-steps.js";

/** What a server does at the moment: it answers, answers 429, lets a gateway answer, does not answer, or nothing listens. */
export type ServerState = "up" | "busy" | "gateway" | "hanging" | "away";

/** Watches over a server that may end, hang, or be restarted while checks run. */
export interface ServerWatch {
  /**
   * Runs a check as soon as the server is there. If a request of it gets no response, finds out which request is to blame, and gives each
   * check that ran at the same time the outcome that it deserves. Rejects as the check does.
   */
  readonly run: (check: WatchedCheck) => Promise<CheckRun>;
  /** Notes a response, so that an end of the server can be placed. */
  readonly noteAnswer: (about: RequestAbout) => void;
  /** Notes a connection that was closed by chance: the same request got a response later. */
  readonly noteFlicker: () => void;
  /** Returns the checks, with a new outcome for those of which it turned out later that their request ended the server, or never gets a response. */
  readonly blameLate: (checks: readonly CheckResult[]) => CheckResult[];
  /** Looks once more at the end of a run, since no later check would notice that the last ones ended the server. */
  readonly finish: () => Promise<void>;
  /** When the server did not answer. */
  readonly outages: () => readonly Outage[];
  /** How often the server may have been restarted, so that what it knew is lost. */
  readonly restarts: () => number;
}

/** The server and the limits of a watch. */
export interface ServerWatchOptions {
  /** Finds out what the server does, by a request that changes nothing. */
  readonly look: () => Promise<ServerState>;
  /** Whether nothing on the server matters, so that checks that write run again after it ended, to find out which request ended it. */
  readonly isDisposable: boolean;
  /** How long a supervisor has to restart the server, in milliseconds. */
  readonly restartWaitMs: number;
  /** Ends all waiting. */
  readonly signal: AbortSignal;
}

/** How long a server may take to answer, in milliseconds, so that it counts as responding. */
export const maxLookMs = 5_000;

/** After this many requests of an operation, or with the same oddity, ended the server or got no response, no more are sent. */
export const maxBlamed = 3;

/** How often a check begins again because others ended the server. */
export const maxRuns = 3;

/** How often the same request of a check that runs alone must be dropped before it is to blame. */
export const maxDrops = 2;

/** How often a server must end while a request is alone under way that it may not have read, before that request is to blame. */
export const maxEnds = 2;

const pollMs = 250;

/** How long before the server ended a request may have got its response and be to blame, in milliseconds. */
export const maxLateMs = 1_000;

/** How long to wait before each look whether a server ends after it has answered, in milliseconds. A supervisor may restart it soon. */
const lateWaits: readonly number[] = [20, 80, 200];

/** How long after the last check to look whether it ended the server, in milliseconds. */
const endWaitMs = 20;

/** How many checks that got their responses just before the server ended are run again, alone. */
export const maxLate = 12;

/** Creates the watch of a run. */
export function createServerWatch({ look, isDisposable, restartWaitMs, signal }: ServerWatchOptions): ServerWatch {
  const running = new Set<WatchedCheck>();
  const blamed = new Map<string, number>();
  const outages: Outage[] = [];
  const lateOutcomes = new Map<string, CheckOutcome>();
  /** The last checks that got a response, and when. */
  const answered: { readonly check: WatchedCheck; readonly at: number }[] = [];
  const lostWrites = createLostWrites();
  let restarts = 0;
  let convictions = 0;
  let lastAnswered: RequestAbout | undefined;
  let incident: Incident | undefined;
  /** Why nothing more is sent. */
  let gone: string | undefined;

  function unsent(): CheckRun {
    return { outcome: { kind: "skipped", reason: gone ?? "", need: { kind: "server" } }, isAnswered: true };
  }

  function blame({ outcome, isAnswered, lost }: CheckRun, what: string, check?: WatchedCheck): CheckRun {
    if (lost === undefined || outcome.kind !== "errored") return { outcome, isAnswered };
    const { operation, rules } = lost;
    convictions++;
    for (const key of [operation, oddityOf(check)]) if (key !== undefined) blamed.set(key, (blamed.get(key) ?? 0) + 1);
    const problems = [`${outcome.reason}; ${lost.request} ${what}`];
    return {
      outcome: { kind: "failed", problems, broken: rules, forbidden: true, trace: outcome.trace },
      isAnswered: true,
    };
  }

  /** The outcome of a check whose last response was the last thing that the server did. */
  function blameAnswered({ request, operation, rules = [] }: RequestAbout, outcome: CheckOutcome): CheckOutcome {
    convictions++;
    if (operation !== undefined) blamed.set(operation, (blamed.get(operation) ?? 0) + 1);
    const problems = [`${request} ended the server a moment after it was answered`];
    // The request that got no response came later, and is innocent.
    const trace = "trace" in outcome ? outcome.trace.filter(({ response }) => response !== undefined) : [];
    return { kind: "failed", problems, broken: rules, forbidden: true, trace };
  }

  function describeBlame({ kind }: LostRequest, wasDown: boolean): string {
    if (kind === "timeout")
      return wasDown
        ? "blocked the server"
        : "hangs, while the server answers other requests (--timeout allows more time)";
    return wasDown ? "ended the server" : "closes the connection, while the server answers other requests";
  }

  /** Waits until a server that is not up is back. Notes that nothing more is sent if it does not come back. */
  async function outlast(state: Exclude<ServerState, "up">, suspects: readonly LostRequest[]): Promise<void> {
    const started = Date.now();
    const isLate = suspects.length === 0 || suspects.some(isPerhapsLate);
    const late = isLate && lastAnswered !== undefined ? [lastAnswered.request] : [];
    // What the server had read comes first.
    const [read, unread] = [false, true].map((isLate) => suspects.filter((one) => isPerhapsLate(one) === isLate));
    const requests = (of: readonly LostRequest[] = []) => of.map(({ request }) => request);
    const names = [...new Set([...requests(read), ...late, ...requests(unread)])];
    const after = names.length === 0 ? undefined : abbreviateList(names, 3);
    const outage = { state, at: new Date(started).toISOString(), after };
    for (let ups = 0; state !== "busy" && Date.now() - started < restartWaitMs; ) {
      await sleep(pollMs, undefined, { signal });
      ups = (await look()) === "up" ? ups + 1 : 0;
      // A server that has just begun to listen may end again by itself.
      if (ups < 2) continue;
      outages.push({ ...outage, durationMs: Date.now() - started });
      return;
    }
    outages.push(outage);
    const reason = state === "busy" ? "answers every request with 429" : "stopped responding";
    gone = `not sent, since the server ${reason}${after === undefined ? "" : ` after ${after}`}`;
  }

  /** What the server does a moment after it has answered. */
  async function lookLate(): Promise<ServerState> {
    let state: ServerState = "up";
    for (const wait of lateWaits)
      if (state === "up") {
        await sleep(wait, undefined, { signal });
        state = await look();
      }
    return state;
  }

  function judgeLostWrite(check: WatchedCheck, result: CheckRun, lost: LostRequest): CheckRun {
    if (lostWrites.note(check.id, result, lost)) return blame(result, describeBlame(lost, false), check);
    return lostWrite(lost);
  }

  /** Whether a check may run again. One that writes may only once the server has ended, and if the server does not matter. */
  function mayRepeat({ isRead }: WatchedCheck, wasDown: boolean): boolean {
    return isRead || (isDisposable && wasDown);
  }

  /** Runs a check while no other does, again if a connection was closed that may have been closed by chance. */
  async function runAlone({ check, result: { lost: first } }: Joined): Promise<CheckRun> {
    let ends = 0;
    for (let drops = 1; gone === undefined; drops++) {
      const before = lastAnswered;
      const result = await check.run();
      const { lost } = result;
      if (lost === undefined) {
        const late = await lookLate();
        if (late === "up" || lastAnswered === undefined || lastAnswered === before) return result;
        await outlast(late, []);
        return { outcome: blameAnswered(lastAnswered, result.outcome), isAnswered: true };
      }
      const state = await look();
      if (state !== "up") await outlast(state, isSuspect(lost) ? [lost] : []);
      if (!isSuspect(lost)) return skipped("the server ended again before the check got a response");
      if (isPerhapsLate(lost) && state !== "up") {
        if (lastAnswered !== undefined && lastAnswered !== before)
          return { outcome: blameAnswered(lastAnswered, result.outcome), isAnswered: true };
        // A system also says that a request is unread if what follows it over HTTP/2 is. Nothing else was under way, so once may be by chance.
        if (lost.operation === undefined || lost.request !== first?.request)
          return skipped("the server ended again before it had read the request");
        if (++ends >= maxEnds) return blame(result, describeBlame(lost, true), check);
        continue;
      }
      const isByChance = state === "up" && lost.kind === "dropped";
      if (isByChance && !check.isRead) return judgeLostWrite(check, result, lost);
      if (!isByChance) return blame(result, describeBlame(lost, state !== "up"), check);
      // A request that a server cannot bear is the same each time.
      if (lost.request !== first?.request)
        return skipped("the server closed connections of several requests, now and then");
      if (drops >= maxDrops) return blame(result, describeBlame(lost, false), check);
    }
    return unsent();
  }

  /** Runs the checks again, alone, that got their responses just before the server ended: it may end a moment after it has answered. */
  async function findLate(checks: readonly WatchedCheck[]): Promise<void> {
    for (const check of checks) {
      if (gone !== undefined || !mayRepeat(check, true)) continue;
      const { lost, outcome } = await check.run();
      const about = lastAnswered;
      const state = await lookLate();
      if (state === "up" || about === undefined) continue;
      await outlast(state, []);
      if (lost !== undefined) continue;
      lateOutcomes.set(check.id, blameAnswered(about, outcome));
      return;
    }
  }

  /** Names the requests of which none was shown to have ended the server. */
  function noteSuspects(lost: readonly LostRequest[]): void {
    const outage = outages.pop();
    if (outage === undefined) return;
    const late = lost.some(isPerhapsLate) && lastAnswered !== undefined ? [lastAnswered.request] : [];
    outages.push({ ...outage, suspects: [...new Set([...late, ...lost.map(({ request }) => request)])] });
  }

  async function judge(joined: readonly Joined[], before: readonly WatchedCheck[]): Promise<void> {
    const earlier = convictions;
    const lost = joined.flatMap(({ result }) => result.lost ?? []);
    const suspects = lost.filter(isSuspect);
    const state = await look();
    const wasDown = state !== "up";
    if (state !== "up") await outlast(state, suspects);
    // The requests of one operation have one cause, unless the server ended before it had read them.
    const isOne =
      new Set(suspects.map(({ operation, request }) => operation ?? request)).size === 1 &&
      !(wasDown && suspects.some(isPerhapsLate));
    const settlements: [Joined, CheckRun | undefined][] = [];
    for (const one of joined) settlements.push([one, await settled(one, { isOne, wasDown })]);
    const inTime = joined.flatMap(({ result, check }) => (result.lost === undefined ? check : []));
    if (wasDown && convictions === earlier) await findLate([...new Set([...inTime, ...before])].slice(0, maxLate));
    // Those that did no harm alone are no suspects any more.
    const isOpen = ({ result: { lost } }: Joined, run: CheckRun | undefined) =>
      lost !== undefined && isSuspect(lost) && run?.outcome.kind === "errored";
    if (wasDown && settlements.some(([one, run]) => isOpen(one, run))) noteSuspects(suspects);
    for (const [one, outcome] of settlements) one.settle(outcome);
  }

  async function settled(
    one: Joined,
    { isOne, wasDown }: { readonly isOne: boolean; readonly wasDown: boolean },
  ): Promise<CheckRun | undefined> {
    const { result, check, runs } = one;
    const { lost } = result;
    if (lost === undefined) {
      // What a restarted server forgot makes a check fail that is right.
      const isTainted = wasDown && gone === undefined && result.outcome.kind !== "passed";
      if (!isTainted) return result;
      return mayRepeat(check, true) ? undefined : skipped("the server was restarted while the check ran");
    }
    if (!isSuspect(lost)) {
      if (gone !== undefined) return unsent();
      if (lost.kind === "busy" || (lost.kind === "gateway" && !wasDown)) return result;
      // The server may have been away for a moment.
      if (mayRepeat(check, wasDown) && (wasDown || runs === 1)) return undefined;
      return wasDown ? skipped("the server was away, and the check writes") : result;
    }
    if (!wasDown && !check.isRead && lost.kind === "dropped")
      return isOne ? judgeLostWrite(check, result, lost) : lostWrite(lost);
    if (!wasDown && !check.isRead && lost.kind === "timeout" && !isOne) return judgeLostWrite(check, result, lost);
    const canRepeat = mayRepeat(check, wasDown) && gone === undefined;
    if (canRepeat) return runAlone(one);
    if (isOne) return blame(result, describeBlame(lost, wasDown), check);
    const others = isPerhapsLate(lost)
      ? "it or a request that was answered just before"
      : "one of several requests that were under way";
    const reason = `${lost.request} got no response, and ${others} is to blame`;
    const { trace = [] } = result.outcome.kind === "errored" ? result.outcome : {};
    return { outcome: { kind: "errored", reason, need: { kind: "server" }, trace }, isAnswered: true };
  }

  function recentlyAnswered(): WatchedCheck[] {
    const since = Date.now() - maxLateMs;
    return answered
      .filter(({ at }) => at >= since)
      .map(({ check }) => check)
      .reverse();
  }

  function openIncident(): Incident {
    restarts++;
    const before = recentlyAnswered();
    return createIncident(
      running,
      (joined) => judge(joined, before),
      () => {
        incident = undefined;
      },
    );
  }

  async function runOnce(check: WatchedCheck, runs: number): Promise<CheckRun | undefined> {
    while (incident !== undefined) await incident.isOver;
    signal.throwIfAborted();
    if (gone !== undefined) return unsent();
    const condemned = check.calls.find((operation) => (blamed.get(operation) ?? 0) >= maxBlamed);
    if (condemned !== undefined)
      return skipped(`not sent, since ${maxBlamed} requests of ${condemned} got no response`);
    const oddity = oddityOf(check);
    if (oddity !== undefined && (blamed.get(oddity) ?? 0) >= maxBlamed)
      return skipped(`not sent, since ${maxBlamed} requests in which a value ${oddity} got no response`);
    running.add(check);
    let result: CheckRun;
    try {
      result = await check.run();
    } catch (error) {
      running.delete(check);
      (incident as Incident | undefined)?.leave(check);
      throw error;
    }
    running.delete(check);
    if (result.lost === undefined && result.outcome.kind !== "skipped") answered.push({ check, at: Date.now() });
    if (answered.length > maxLate) answered.shift();
    if (signal.aborted || (incident === undefined && result.lost === undefined)) return result;
    incident ??= openIncident();
    return incident.join(check, result, runs);
  }

  return {
    run: async (check) => {
      for (let runs = 1; runs <= maxRuns; runs++) {
        const result = await runOnce(check, runs);
        if (result !== undefined) return result;
      }
      return skipped(`the server was away each time that the check ran`);
    },
    noteAnswer: (about) => {
      lastAnswered = about;
      lostWrites.noteAnswer(about);
    },
    noteFlicker: lostWrites.noteFlicker,
    blameLate: (checks) => {
      const { check: id, run } = lostWrites.single() ?? {};
      if (id !== undefined && run?.lost !== undefined)
        lateOutcomes.set(id, blame(run, describeBlame(run.lost, false)).outcome);
      return checks.map((check) => ({ ...check, outcome: lateOutcomes.get(check.id) ?? check.outcome }));
    },
    finish: async () => {
      if (gone !== undefined || signal.aborted || answered.length === 0) return;
      const before = recentlyAnswered();
      try {
        await sleep(endWaitMs, undefined, { signal });
        const state = await look();
        if (state !== "away") return;
        await outlast(state, []);
        await findLate(before);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
    outages: () => outages,
    restarts: () => restarts,
  };
}

/** What the requests of several operations have in common, such as `is nested 5,000 deep`: they may end a server for the same reason. */
function oddityOf(check: WatchedCheck | undefined): string | undefined {
  return /^`[^`]+` (.+)$/.exec(check?.summary ?? "")?.[1];
}

/**
 * Whether a request may be innocent of the end of the server although no other was under way: the server had not read it, or it is about no
 * operation.
 */
function isPerhapsLate({ isUnread, operation }: LostRequest): boolean {
  return isUnread === true || operation === undefined;
}

function lostWrite({ request }: LostRequest): CheckRun {
  return skipped(`${request} got no response; it may write, so it was not repeated`);
}

function skipped(reason: string): CheckRun {
  return { outcome: { kind: "skipped", reason, need: { kind: "server" } }, isAnswered: true };
}
