import { beforeAll, describe, expect, it } from "vitest";
import type { OperationData } from "../../../site/components/console/console-data.js";
import { judgeAnswer } from "../../../site/components/console/judge.js";
import { judgeReply } from "../../../site/components/console/judge-reply.js";
import type { Answer } from "../../../site/components/console/send.js";
import { consoleFiles } from "../../../site/pages/tools/console-data.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import { loadCases, loadContract } from "../../../src/chat/contract.js";
import type { Case } from "../../../src/contract/rest/cases.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { compareWithContract } from "../../../src/judge/compare-with-contract.js";

let data: ReadonlyMap<string, OperationData>;
let cases: readonly Case[];
beforeAll(async () => {
  const files = consoleFiles(await loadContract(), await loadDaemonCases());
  data = new Map(
    files.map(([path, text]) => [path.slice("public/console/".length, -".json".length), JSON.parse(text)]),
  );
  cases = await loadCases();
});

function dataOf(operationId: string): OperationData {
  const found = data.get(operationId);
  if (found === undefined) throw new Error(`no data of ${operationId}`);
  return found;
}

function answer(status: number, body: unknown, type = "application/json"): Answer {
  const headers = [["content-type", type] as const, ["tus-resumable", "1.0.0"] as const, ["location", "/x"] as const];
  const text = body === undefined ? "" : JSON.stringify(body);
  return { kind: "answer", status, statusText: "", headers, text, durationMs: 1 };
}

/** The response of a case, and responses with one difference. */
function answersOf({ response: { status, body } }: Case): Answer[] {
  if (typeof body !== "object" || body === null) return [answer(status, body)];
  const [last = "msg"] = Object.keys(body).slice(-1);
  const { [last as keyof typeof body]: _, ...shorter } = body;
  return [
    answer(status, body),
    answer(status, shorter),
    answer(status, { ...body, msg: 7 }),
    answer(status, body, "text/html"),
  ];
}

describe("judgeAnswer", () => {
  it.each([0, 250, 415])("judges answers at level %i as accord verify does", async (level) => {
    const { contract, validators } = await chatAtLevel(level);
    const fitting = new Set<string>();
    for (const one of [...cases].sort((a, b) => a.operationId.localeCompare(b.operationId))) {
      for (const given of answersOf(one)) {
        const judged = judgeAnswer(dataOf(one.operationId), level, given);
        if (judged.kind === "absent") continue;
        const headers = new Headers(given.headers.map(([name, value]): [string, string] => [name, value]));
        const actual = { ...given, headers, contentType: headers.get("content-type") ?? undefined };
        const problems = compareWithContract(contract, one.operationId, actual, validators, (text) => text).map(
          ({ text }) => text,
        );
        expect(judged.kind === "problems" ? judged.problems : [], `${one.operationId}/${one.name}`).toEqual(problems);
        if (problems.length === 0) fitting.add(one.operationId);
      }
    }
    expect(fitting.size).toBeGreaterThan(15);
  });

  it("says that a level lacks the operation", () => {
    expect(judgeAnswer(dataOf("createReminder"), 380, answer(404, {}))).toEqual({ kind: "absent" });
  });
});

describe("judgeReply", () => {
  const rpc = "ProxySubscriptions/SelectNode";

  it.each([
    [200, { id: 7, selectedOrdinal: 2 }, []],
    [200, {}, []],
    [200, { id: "seven" }, [/cannot decode field/]],
    [200, { identity: 7 }, [/"identity" is unknown/]],
    [404, { code: "not_found", message: "Network 7 is unknown" }, []],
    [404, { code: "missing" }, [/expected a code of Connect, got "missing"/]],
    [500, [], [/expected a code of Connect/]],
  ] as const)("judges status %i with %j", (status, body, wanted) => {
    const judged = judgeReply(rpc, answer(status, body));
    const problems = judged.kind === "problems" ? judged.problems : [];
    expect(problems).toHaveLength(wanted.length);
    for (const [index, pattern] of wanted.entries()) expect(problems[index]).toMatch(pattern);
  });

  it("accepts the replies and errors of all cases", async () => {
    const { cases: all } = await loadDaemonCases();
    for (const { rpc: name, reply, error } of all) {
      if (reply !== undefined) expect(judgeReply(name, answer(200, reply))).toEqual({ kind: "fits" });
      if (error !== undefined) expect(judgeReply(name, answer(400, error))).toEqual({ kind: "fits" });
    }
  });

  it("rejects an answer that is not JSON", () => {
    expect(judgeReply(rpc, { ...answer(200, {}, "text/plain"), text: "hello" })).toMatchObject({
      problems: ["content type: expected application/json, got text/plain", "body: expected JSON"],
    });
  });
});
