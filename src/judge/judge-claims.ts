import type { Claim } from "../contract/check.js";
import { valueAt } from "../contract/json-pointer.js";
import { compileMatcher, type Mismatch } from "./compile-matcher.js";
import type { Exchange } from "./exchange.js";
import type { Scope } from "./expressions.js";
import { createQuoter } from "./quote.js";

/** What a response says about the rules of claims. */
export interface JudgedClaims {
  /** The claims that do not hold, each with a sentence. */
  readonly broken: readonly { readonly claim: Claim; readonly problem: string }[];
  /** The rules that the response does not show, with the reason. */
  readonly hidden: ReadonlyMap<string, string>;
}

/** Judges each claim by itself. `mask` masks quoted values. */
export function judgeClaims(
  claims: readonly Claim[],
  exchange: Exchange,
  scope: Scope,
  mask: (text: string) => string,
): JudgedClaims {
  const own = scopeOfExchange(exchange, scope);
  const broken: { claim: Claim; problem: string }[] = [];
  const hidden = new Map<string, string>();
  for (const claim of claims) {
    if (claim.on !== undefined && compileMatcher(claim.on)(exchange.status, own) !== undefined) continue;
    const wrong = mismatchOf(claim, exchange, own);
    const note = claim.note === undefined ? "" : `; ${claim.note}`;
    if (wrong !== undefined) broken.push({ claim, problem: `${describe(wrong, exchange, mask)}${note}` });
    const unseen = claim.shownBy?.find((evidence) => mismatchOf(evidence, exchange, own) !== undefined);
    if (unseen !== undefined) for (const rule of claim.rules) hidden.set(rule, reasonOf(unseen, exchange));
  }
  return { broken, hidden };
}

/** Why a response shows no rule; of an RPC, with the code that it got instead. */
function reasonOf({ otherwise, expect }: NonNullable<Claim["shownBy"]>[number], { status }: Exchange): string {
  return expect?.status === undefined || status === "ok" ? otherwise : `${otherwise}: ${status}`;
}

function mismatchOf({ expect = {} }: Pick<Claim, "expect">, { status, body }: Exchange, scope: Scope) {
  const wrong = expect.status === undefined ? undefined : compileMatcher(expect.status)(status, scope);
  if (wrong !== undefined) return { ...wrong, at: "status" };
  return expect.body === undefined ? undefined : compileMatcher({ at: expect.body })(body, scope);
}

/** Describes a claim that does not hold; for a status, with the whole response. */
function describe(wrong: Mismatch, { body, text }: Exchange, mask: (text: string) => string): string {
  const sentence = describeMismatch(wrong, mask);
  return wrong.at === "status" ? `${sentence} with ${createQuoter(mask)(body ?? text)}` : sentence;
}

/** The values that matchers refer to: those of earlier steps, `$response.<member of the body>`, and `$exchange.<fact>`. */
export function scopeOfExchange({ body, facts }: Exchange, scope: Scope): Scope {
  return (path) => {
    const [head = "", ...rest] = path;
    const pointer = rest.map((key) => `/${key}`).join("");
    if (head === "response") return valueAt(body, pointer);
    return head === "exchange" ? valueAt(facts, pointer) : scope(path);
  };
}

/** Describes a value that is not as expected, in a sentence. */
export function describeMismatch(
  { at, expected, actual }: Mismatch,
  mask: (text: string) => string,
  place = "",
): string {
  return `${place}${at.replace(/^\$exchange\.\w+\//, "")}: expected ${mask(expected)}, got ${createQuoter(mask)(actual)}`;
}
