import type { Mask } from "../../verify/excerpt.js";
import type { CheckResult } from "../../verify/model/check-result.js";
import type { CoverageItem } from "../../verify/model/coverage.js";
import type { VerifyReport } from "../../verify/model/verify-report.js";
import type { RecordedExchange } from "../recorded/recorded-exchange.js";
import type { CoverageCounter } from "./coverage.js";
import type { JudgedSide } from "./create-traffic-recorder.js";

/** What judging the traffic of one contract needs. */
export interface TrafficContract {
  /** What reports say about the contract and the server. */
  readonly about: Pick<VerifyReport, "contract" | "version" | "target" | "level" | "seed" | "rules">;
  /** Everything that traffic can show, by kind. */
  readonly coverage: Readonly<Record<string, readonly Omit<CoverageItem, "count">[]>>;
  /** Whether a finding can have this name in place of an operation. */
  readonly isOperation: (name: string) => boolean;
  /** Judges an exchange, after all earlier ones, and counts what it shows. */
  readonly judge: (exchange: RecordedExchange, coverage: CoverageCounter) => Promise<readonly JudgedSide[]>;
  /** The checks that all exchanges together show. */
  readonly checks: (strict: boolean) => readonly CheckResult[];
  /** A mask of the secrets of an exchange and of recent ones. */
  readonly maskOf: (exchange: RecordedExchange) => Mask;
  /** The exchange as recordings hold it. Defaults to all of it. */
  readonly toRecord?: (exchange: RecordedExchange) => RecordedExchange;
}

/** How to judge the traffic of any contract. */
export interface JudgeOptions {
  /** Whether recommendations count as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Findings that are known, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** The minimum share of rules that the traffic must exercise for a verdict, in percent. Defaults to 0. */
  readonly minExercised?: number;
  /** Called with each finding when it occurs for the first time. */
  readonly onFinding?: (check: CheckResult) => void;
  /** Called with each exchange and a mask of its secrets, before it is judged. */
  readonly onExchange?: (exchange: RecordedExchange, mask: Mask) => void;
}
