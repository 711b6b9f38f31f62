import { loadDaemonCases } from "../../../contract/daemon/cases.js";
import type { ServiceNames } from "../../../daemon/service-names.js";
import { contractVersions, packageVersion } from "../../../versions.js";
import type { Check } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import { createCoverageCounter, faultOfPackage } from "../../traffic/coverage.js";
import { createTrafficRecorder, type JudgedSide } from "../../traffic/create-traffic-recorder.js";
import { knownFindings, resolvedFindings } from "../../traffic/known-findings.js";
import type { RecordedExchange } from "../../traffic/traffic.js";
import { toReportedRule, type VerifyReport } from "../../verify-report.js";
import { countCall, coverageItems } from "./count-call.js";
import { describeCall } from "./describe-call.js";
import { judgeAnswer, rulesOfAnswers } from "./judge-answer.js";
import { judgeCall } from "./judge-call.js";
import { createNeededFields } from "./needed-fields.js";
import { type ReadAnswer, readAnswer } from "./read-answer.js";
import { type ReadCall, readCall } from "./read-call.js";
import { recordedAsJson } from "./recorded-as-json.js";
import { createCallRouter } from "./route-call.js";
import { replyRules, trafficRules } from "./traffic-rules.js";
import { piecesOfUrl, secretsOfUrl, secretValues } from "./url-parts.js";

/** How to judge traffic. */
export interface DaemonTrafficOptions {
  /** The address of the daemon that is shown in reports. */
  readonly address: string;
  /** The names of its services, if they differ from those of the contract. */
  readonly names?: ServiceNames;
  /** Whether recommendations count as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Findings that are known, with the reason. */
  readonly knownFailing?: ReadonlyMap<string, string>;
  /** The minimum share of rules that the traffic must exercise for a verdict, in percent. Defaults to 0. */
  readonly minExercised?: number;
}

/** Judges exchanges one after the other. */
export interface DaemonTrafficJudge {
  /** Judges an exchange. Resolves with the checks of new findings. */
  readonly observe: (exchange: RecordedExchange) => Promise<readonly Check[]>;
  /** The exchange for a recording, with a mask of the secrets of the latest URLs. */
  readonly recorded: (exchange: RecordedExchange) => { readonly exchange: RecordedExchange; readonly mask: Mask };
  /** The report on all exchanges that were judged. */
  readonly report: () => VerifyReport;
}

/** How many URLs are remembered. A later response may show secrets of an earlier URL, so reports mask those as well. */
const maxUrls = 10;

/** Creates a judge of the traffic between clients and a daemon. */
export async function createDaemonTrafficJudge(options: DaemonTrafficOptions): Promise<DaemonTrafficJudge> {
  const { address, names = {}, strict = false, knownFailing = new Map(), minExercised = 0 } = options;
  const { rules, clientRules, cases } = await loadDaemonCases();
  const route = createCallRouter(names);
  const recorder = createTrafficRecorder({ strict });
  const coverage = createCoverageCounter(coverageItems(cases));
  const needed = createNeededFields(cases);
  const urls = new Set<string>();
  /** The URLs of the most recent calls that failed. */
  const failed: string[] = [];
  let mask: Mask | undefined;
  const started = new Date();

  function remember({ destination, request }: ReadCall): void {
    if (destination.kind !== "rpc" || request?.kind !== "message") return;
    needed.observe(destination.method, request.message);
    for (const url of secretValues(destination.method.method.input, request.message)) {
      // The latest URL is the last one.
      if (!urls.delete(url)) mask = undefined;
      urls.add(url);
    }
    for (const url of urls) {
      if (urls.size <= maxUrls) break;
      urls.delete(url);
    }
  }

  function currentMask(): Mask {
    mask ??= createMask([...urls].flatMap(piecesOfUrl));
    return mask;
  }

  async function observe(exchange: RecordedExchange): Promise<readonly Check[]> {
    const call = readCall(exchange, route);
    const answer = answerOf(call);
    remember(call);
    countCall(call, answer, coverage);
    const { destination, request } = call;
    if (destination.kind === "outside") return [];
    const name = destination.kind === "rpc" ? destination.method.rpc : destination.name;
    const ofCall = judgeCall(call);
    if (destination.kind === "unknown" && ofCall.findings.length === 0) return [];
    const describe = async () => [describeCall(call, answer, { address, names }, currentMask())];
    const client = await recorder.add({ party: "client", operation: name, ...ofCall, describe });
    if (destination.kind === "rpc" && exchange.malformed !== undefined)
      return [
        ...client,
        ...(await recorder.add({ party: "server", operation: name, ...notHttp(exchange.malformed), describe })),
      ];
    const isOwn = exchange.provoked !== undefined;
    if (isOwn || answer === undefined || destination.kind !== "rpc" || request?.kind !== "message") return client;
    const earlier = failed.flatMap(secretsOfUrl);
    const ofAnswer = judgeAnswer(destination.method, { request, answer, earlier }, rules);
    if (answer.kind === "error") {
      failed.push(...secretValues(destination.method.method.input, request.message));
      failed.splice(0, failed.length - maxUrls);
    }
    if (ofAnswer.unread !== undefined) return client;
    return [...client, ...(await recorder.add({ party: "server", operation: name, ...ofAnswer, describe }))];
  }

  return {
    observe: (exchange) =>
      observe(exchange).catch((error: unknown) => {
        coverage.notJudged(faultOfPackage);
        throw error;
      }),
    recorded: (exchange) => {
      const call = readCall(exchange, route);
      remember(call);
      return { exchange: recordedAsJson(call, answerOf(call)), mask: currentMask() };
    },
    report: () => {
      const checks = [...recorder.checks(), ...needed.checks(strict)];
      const isOperation = (name: string) => name.includes("/");
      return {
        contract: "daemon",
        version: contractVersions.daemon,
        packageVersion,
        target: address,
        rules: [...trafficRules, ...[...clientRules, ...rulesOfAnswers(rules)].map(toReportedRule)],
        checks: [...checks, ...resolvedFindings(knownFailing, checks)].sort((a, b) => (a.id < b.id ? -1 : 1)),
        existing: new Set([...checks.map(({ id }) => id), ...knownFindings(knownFailing, isOperation)]),
        knownFailing,
        strict,
        minExercised,
        coverage: { ...coverage.result(), provoked: [] },
        startedAt: started.toISOString(),
        durationMs: Date.now() - started.getTime(),
      };
    },
  };
}

function notHttp(malformed: string): Pick<JudgedSide, "findings" | "shown"> {
  const { id, strength } = replyRules.protocol;
  const problem = `the response is not HTTP: ${malformed}`;
  return { findings: [{ party: "server", rule: id, strength, subject: "not HTTP", problem }], shown: [id] };
}

/** Reads the response if it is whole and the call has a form. */
function answerOf({ destination, form, recorded }: ReadCall): ReadAnswer | undefined {
  const { response, interruption } = recorded;
  if (destination.kind !== "rpc" || form === undefined || response === undefined || interruption !== undefined)
    return undefined;
  return readAnswer(destination.method, form, response);
}
