import { describe, expect, it } from "vitest";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { listFindings } from "../../../src/report/model/findings.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { failing, sampleCheck, smallReport } from "../sample-report.js";

const [content, stream, email] = ["messages.edit.content", "messages.edit.content-with-stream", "users.me.email"];
const deviated: CheckOutcome = { ...failing, kind: "deviated", broken: [stream] };

describe("listFindings", () => {
  it.each<[string, readonly string[], CheckOutcome, readonly string[]]>([
    ["each rule that a check broke", [content, email], failing, [content, email]],
    ["only the rules that its problems break", [content, email], { ...failing, broken: [email] }, [email]],
    ["the operation of a check that shows no rule", [], failing, ["editMessage"]],
    [
      "the operation of a check that shows rules of another level only",
      ["messages.edit.gone"],
      failing,
      ["editMessage"],
    ],
    ["the operation of a check that breaks none of its rules", [content], { ...failing, broken: [] }, ["editMessage"]],
    ["a recommendation that is not followed", [content, stream], deviated, [stream]],
    ["nothing for a check that passed", [content], { kind: "passed" }, []],
  ])("lists %s", (_, rules, outcome, want) => {
    const report = smallReport({ checks: [sampleCheck({ rules, outcome })] });
    expect(listFindings(toJsonReport(report)).map(({ title }) => title)).toEqual(want);
  });

  it("counts operations that are not as described, and apart from them the workflows, which are of a resource", () => {
    const outcome: CheckOutcome = { ...failing, broken: [] };
    const checks = [
      sampleCheck({ outcome }),
      sampleCheck({ id: "b", outcome }),
      sampleCheck({ id: "workflow a", kind: "workflow", operation: "messages", outcome }),
    ];
    expect(toJsonReport(smallReport({ checks })).verdict.sentence).toBe(
      "1 operation not as described and 1 workflow failed.",
    );
  });

  it("lists rules before operations before recommendations, with their checks, then known failures", () => {
    const checks = [
      sampleCheck({ id: "a", rules: [stream], outcome: deviated }),
      sampleCheck({ id: "b", rules: [], outcome: failing }),
      sampleCheck({ id: "c", rules: [email, content], outcome: failing }),
      sampleCheck({ id: "d", rules: [email], outcome: failing }),
      sampleCheck({ id: "e", rules: [email], outcome: failing }),
    ];
    const rules = smallReport().rules.map(
      (rule) => ({ ...rule, strength: rule.id === stream ? "should" : "must" }) as const,
    );
    const report = smallReport({ rules, checks, knownFailing: new Map([["e", "Issue 1"]]) });
    const found = listFindings(toJsonReport(report));
    expect(found.map(({ title, tag, checks: of }) => [title, tag, of.map(({ id }) => id)])).toEqual([
      [content, "FAIL", ["c"]],
      [email, "FAIL", ["c", "d"]],
      ["editMessage", "FAIL", ["b"]],
      [stream, "DEVIATES", ["a"]],
      ["Issue 1", "KNOWN TO FAIL", ["e"]],
    ]);
  });

  it("make one of what goes wrong in the same way in several operations", () => {
    const operations = ["listPets", "getPet", "addPet"];
    const rules = operations.map((operation) => ({
      ...{ id: `${operation}.response`, text: "Answers as documented.", resource: "pets" },
      ...{ strength: "must" as const, source: "OpenAPI document" },
    }));
    const found = (operation: string, id: string, ...problems: string[]) =>
      sampleCheck({
        ...{ id, operation, rules: [`${operation}.response`] },
        outcome: { ...failing, problems, broken: [`${operation}.response`] },
      });
    const failed = "status: the server failed with 500 with {}";
    const checks = [
      found("listPets", "a", '/0/owner: must NOT have the property "token"'),
      found("listPets", "b", "status: listPets does not document 202 with {}"),
      found("getPet", "c", '/7/owner: must NOT have the property "token"'),
      found("addPet", "d", "status: addPet does not document 202 with []"),
      found("addPet", "e", "status: addPet does not document 204 with []"),
      found("getPet", "f", "status: expected success, got 500 with {}", failed),
      found("addPet", "g", failed),
      {
        ...found("listPets", "workflow h", "step list: status: listPets does not document 202 with {}"),
        ...{ kind: "workflow" as const, operation: "pets" },
      },
    ];
    const findings = listFindings(toJsonReport(smallReport({ rules, checks })));
    expect(
      findings.map((finding) => [finding.title, finding.sentences.at(-1), finding.checks.map(({ id }) => id)]),
    ).toEqual([
      ["listPets.response and 1 more rule", "The same cause in 2 operations: listPets, getPet.", ["a", "c"]],
      [
        "listPets.response and 1 more rule",
        "The same cause in 2 operations: listPets, addPet.",
        ["b", "workflow h", "d"],
      ],
      ["getPet.response and 1 more rule", "The same cause in 2 operations: getPet, addPet.", ["f", "g"]],
      ["addPet.response", "Source: OpenAPI document", ["e"]],
    ]);
  });
});
