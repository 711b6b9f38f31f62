import type { VerifyReport } from "../../src/report/model/verify-report.js";
import { sampleCheck, smallReport } from "./sample-report.js";

/** Creates a report with one text wherever a text of a server or a file may appear. */
export function hostileReport(text: string): VerifyReport {
  const trace = [{ command: text, request: text, response: text }];
  const check = { kind: "case", operation: text, summary: text, rules: [text, "messages.edit.content"] } as const;
  return smallReport({
    target: text,
    version: text,
    rules: [
      { id: text, text, resource: text },
      { id: "messages.edit.content", text, source: text, resource: "messages", untestable: text },
    ],
    checks: [
      sampleCheck({
        ...check,
        id: `${text}1`,
        outcome: { kind: "failed", problems: [text, text], trace: [...trace, ...trace] },
      }),
      sampleCheck({ ...check, id: `${text}2`, outcome: { kind: "errored", reason: text, help: text, trace } }),
      sampleCheck({ ...check, id: `${text}3`, outcome: { kind: "skipped", reason: text } }),
      sampleCheck({
        ...check,
        id: `${text}9`,
        outcome: { kind: "skipped", reason: text, need: { kind: "state", state: text, value: text } },
      }),
      sampleCheck({
        ...check,
        id: `${text}10`,
        outcome: { kind: "skipped", reason: text, need: { kind: "operation", operations: [text] } },
      }),
      sampleCheck({ ...check, id: `${text}4` }),
      sampleCheck({ ...check, id: `${text}5`, outcome: { kind: "failed", problems: [text], trace } }),
      sampleCheck({ ...check, id: `${text}6` }),
      sampleCheck({
        ...check,
        id: `${text}7`,
        rules: [],
        kind: "workflow",
        outcome: { kind: "failed", problems: [text], trace },
      }),
    ],
    operations: (["there", "not-implemented"] as const).map((presence, at) => ({
      ...{ id: `${text}${at || ""}`, title: text, presence, why: text, checks: [`${text}1`], rules: [text] },
    })),
    beyond: { checks: 1, operations: [text] },
    stateHelp: new Map([[text, text]]),
    knownFailing: new Map([
      [`${text}5`, text],
      [`${text}6`, text],
      [`${text}8`, text],
    ]),
  });
}
