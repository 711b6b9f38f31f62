import { expectedOf } from "../../contract/calls.js";
import type { CallStep, Expected } from "../../contract/check.js";
import type { ContractProblem } from "../../judge/content-problems.js";
import type { Mask } from "../../judge/excerpt.js";
import type { Exchange } from "../../judge/exchange.js";
import type { Scope } from "../../judge/expressions.js";
import { isOpen, judgeExpectations, type Unmet, unseenPlace } from "../../judge/judge-expectations.js";

/** How a response differs from what its step expects. */
export interface Judgement {
  /** The expectations with rules of their own that it does not meet. */
  readonly unmet: readonly Unmet[];
  /** The rules of such expectations that it does not show, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
  /** How it differs from what the step expects, one sentence each. */
  readonly unexpected: readonly string[];
  /** What the contract forbids, whatever was sent. */
  readonly forbidden: readonly ContractProblem[];
  readonly isStatusWrong: boolean;
  /** Whether the server accepted a request that it must refuse. */
  readonly letThrough: boolean;
  /** The expected value that is absent and may be, so that the response shows nothing. */
  readonly unseen?: string;
}

/** Compares a response with the contract and with what its step expects. `mask` masks quoted values. */
export function judgeCall(step: CallStep, exchange: Exchange, scope: Scope, mask: Mask): Judgement {
  const expected = expectedOf(step);
  const letThrough = isWronglyAccepted(exchange.status, expected.status);
  // A redirect is a status like any other where an operation documents it, or none says whether a URL may redirect.
  const isRedirect = Math.floor(Number(exchange.status) / 100) === 3;
  const mayRedirect = isRedirect && (step.call === undefined || exchange.contractProblems().length === 0);
  const isFault = exchange.fault !== undefined && !mayRedirect;
  // A read before or after a refused request only matters for its difference.
  const isCompared = !isFault && step.readBack === undefined;
  const judged = step.expect.filter(({ rules }) => rules !== undefined || isCompared);
  const { unmet, hidden } = judgeExpectations(
    mayRedirect ? judged.map(allowingRedirects) : judged,
    exchange,
    scope,
    mask,
  );
  const own = unmet.filter(({ expectation }) => expectation.rules === undefined);
  const others = { unmet: unmet.filter((one) => !own.includes(one)), hidden, letThrough };
  if (!isCompared) {
    const forbidden = isFault ? [{ text: mask(exchange.fault ?? "") }] : [];
    return { ...others, unexpected: [], forbidden, isStatusWrong: false };
  }
  return {
    ...others,
    unexpected: own.flatMap(({ problems }) => problems),
    forbidden: isOpen(expected, exchange) ? [] : exchange.contractProblems(),
    isStatusWrong: own.some(({ isStatusWrong }) => isStatusWrong),
    unseen: unseenPlace(expected, exchange, scope),
  };
}

function allowingRedirects<One extends Expected>(one: One): One {
  return one.status === "2XX" ? { ...one, status: undefined } : one;
}

/** Whether a server accepted a request that it must refuse. A refusal for another reason, also before the login, accepts nothing. */
function isWronglyAccepted(status: Exchange["status"], expected: Expected["status"]): boolean {
  return (expected === "4XX" || Number(expected) >= 400) && Number(status) < 300;
}
