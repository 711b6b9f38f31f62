import { describe, expect, it } from "vitest";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";
import { nameOf, probesOf } from "./tiny-probes.js";

describe("callers without the required role", () => {
  const administrators = { "notes.edit.restricted": { kind: "missing-role", role: "administrator" } } as const;
  it.each<[string, TinyOperation, string[]]>([
    ["none without a rule", { as: "administrator" }, []],
    [
      "all but administrators",
      { as: "administrator", rules: administrators },
      ["by-moderator", "by-member", "by-guest", "by-bot"],
    ],
    [
      "all but owners",
      {
        as: "owner",
        rules: { "notes.edit.restricted": { kind: "missing-role", role: "owner", allows: "notes.edit.done" } },
      },
      ["done-by-administrator", "done-by-moderator", "done-by-member", "done-by-guest", "done-by-bot"],
    ],
    ["none if no case shows who may", { as: "member", rules: administrators }, []],
  ])("are refused: %s", (_, operation, want) => {
    expect(probesOf(operation, /by-[a-z]+$/).map(([name]) => name)).toEqual(want);
  });

  it("cause an error if the role does not exist", () => {
    const rules = { "notes.edit.restricted": { kind: "missing-role" as const, role: "emperor" } };
    expect(() => listProbes(tinyContract({ rules }))).toThrow("emperor is not a role; use one of owner, administrator");
  });
});

describe("callers without valid credentials", () => {
  it("are refused as specified by the cases", () => {
    const probes = listProbes(tinyContract()).filter(({ change }) => change.kind === "authorization");
    expect(probes.map(nameOf)).toEqual(["no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"]);
    expect(probes.filter(({ states }) => states)).toEqual([]);
    expect(probes[0]).toMatchObject({
      rules: ["authentication.no-credentials"],
      expectation: { kind: "refused", status: 401, code: "UNAUTHORIZED" },
    });
  });
});
