import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { operations } from "../../../../generated/chat/operations.js";
import type { Operation } from "../../../chat/operation.js";
import type { DreddClass } from "./dredd-api.js";
import { findHooks } from "./find-hooks.js";
import { caseKey, type DreddPlan, loadPlan, type PlannedCase, pathOfCase, planVariable } from "./hooks-protocol.js";
import { rememberComparisons } from "./remember-comparisons.js";
import { withOwnRequests } from "./watch-requests.js";

// Runs the cases of a plan with an installed Dredd. Several instances of Dredd in one process start faster than several processes.
// Arguments: the script of Dredd, the file with the plan, the URL of the API, and the number of concurrent cases.
const [script = "", planFile = "", endpoint = "", jobs = "1"] = process.argv.slice(2);
// The hooks read it as well.
process.env[planVariable] = planFile;
const requireBesideDredd = createRequire(script);
const dreddClass: DreddClass = requireBesideDredd("..");
rememberComparisons(requireBesideDredd("gavel").default);
const plan = await loadPlan(process.env);

/** A contract with only what the hooks do not supply, because Dredd reads a larger one slowly. */
function profileOf(cases: readonly PlannedCase[]): object {
  const paths = cases.map(({ testCase }) => {
    const { status, mediaType } = testCase.response;
    const content = mediaType === undefined ? {} : { content: { [mediaType]: {} } };
    const { method } = (operations as Readonly<Record<string, Operation>>)[testCase.operationId] ?? {};
    const responses = { [String(status)]: { description: "", ...content } };
    return [pathOfCase(caseKey(testCase)), { [String(method).toLowerCase()]: { responses } }];
  });
  return { openapi: "3.0.3", info: { title: "Cases", version: "1" }, paths: Object.fromEntries(paths) };
}

/** Runs cases one after the other. */
function runInstance(cases: readonly PlannedCase[]): Promise<void> {
  const emitter = new EventEmitter();
  // Dredd clones its configuration for the hooks. The parsed contract makes up most of it, and is not needed any more.
  emitter.on("start", (contracts: { apiElements?: unknown }[], done: () => void) => {
    for (const contract of contracts) delete contract.apiElements;
    done();
  });
  const dredd = new dreddClass({
    ...{ endpoint, emitter, path: [], hookfiles: [findHooks().hooks], loglevel: "error", reporter: ["dot"] },
    apiDescriptions: [{ location: "cases.json", content: JSON.stringify(profileOf(cases)) }],
  });
  return new Promise((resolve, reject) => dredd.run((error) => (error ? reject(error) : resolve())));
}

/** Deals the cases out in turns, which spreads the slow cases of one operation. */
function deal({ cases }: DreddPlan, parts: number): PlannedCase[][] {
  const all = Object.values(cases);
  const dealt = Array.from({ length: parts }, (_, part) => all.filter((_, index) => index % parts === part));
  return dealt.filter(({ length }) => length > 0);
}

await Promise.all(deal(plan, Number(jobs)).map((cases) => withOwnRequests(() => runInstance(cases))));
