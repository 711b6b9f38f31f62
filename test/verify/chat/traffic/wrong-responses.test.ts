import { describe, expect, it } from "vitest";
import { problemsOf } from "./exchange-findings.js";

describe("judgeExchange with a wrong response", () => {
  it("judges responses by the contract, and masks what it quotes", async () => {
    const findings = await problemsOf({ call: "DELETE /users/me", answer: { result: "success", api_key: "sesame-1" } });
    expect(findings).toEqual(["200: body: must have required property 'msg'"]);
    expect(await problemsOf({ call: "DELETE /users/me", status: 500, answer: { api_key: "sesame-1" } })).toEqual([
      '500: status: the server failed with 500 with {"api_key":"***"}',
    ]);
  });
});
