import { describe, expect, it } from "vitest";
import { chatProbes as listProbes } from "../../support/chat-probes.js";
import { type TinyOperation, tinyContract } from "./tiny-contract.js";
import { callOf, nameOf, probesOf } from "./tiny-probes.js";

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
  ])("are refused: %s", async (_, operation, want) => {
    expect((await probesOf(operation, /by-[a-z]+$/)).map(([name]) => name)).toEqual(want);
  });

  it("cause an error if the role does not exist", async () => {
    const rules = { "notes.edit.restricted": { kind: "missing-role" as const, role: "emperor" } };
    await expect(listProbes(tinyContract({ rules }))).rejects.toThrow(
      "emperor is not a role; use one of owner, administrator",
    );
  });
});

describe("callers without valid credentials", () => {
  it("use no scheme that an alternative takes", async () => {
    const tiny = tinyContract();
    const contract = {
      ...tiny,
      security: ["basicAuth", "token"].map((name): Record<string, string[]> => ({ [name]: [] })),
      components: {
        ...tiny.components,
        securitySchemes: { basicAuth: { type: "http", scheme: "basic" }, token: { type: "http", scheme: "bearer" } },
      },
    };
    const names = (await listProbes(contract)).map(nameOf);
    expect(names).toContain("no-base64");
    expect(names).not.toContain("other-scheme");
  });

  it("are refused as specified by the cases", async () => {
    const probes = (await listProbes(tinyContract())).filter(({ steps }) => steps.length === 1);
    const names = ["method-put", "no-credentials", "unknown-user", "no-base64", "no-key", "other-scheme"];
    expect(probes.map(nameOf).sort()).toEqual([...names].sort());
    const sent = probes.map((probe) => [nameOf(probe), callOf(probe).as, callOf(probe).headers]);
    expect(sent).toEqual(
      expect.arrayContaining([
        ["no-credentials", "nobody", undefined],
        ["unknown-user", "stranger", undefined],
        ["no-base64", "nobody", { Authorization: "Basic %%%" }],
      ]),
    );
    const missing = probes.find((probe) => nameOf(probe) === "no-credentials");
    expect(missing).toMatchObject({
      rules: ["authentication.no-credentials"],
      steps: [{ expect: [{ status: 401, body: { "/code": "UNAUTHORIZED" } }] }],
    });
  });

  it("send the address of the caller with a key that is not theirs", async () => {
    const probes = await listProbes(tinyContract());
    const wrong = probes.find((probe) => nameOf(probe) === "wrong-key");
    expect(wrong && callOf(wrong).as).toEqual({ email: "$credentials.member.email", api_key: "x".repeat(32) });
  });
});
