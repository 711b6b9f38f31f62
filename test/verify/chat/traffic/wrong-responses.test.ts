import { describe, expect, it } from "vitest";
import { edited, namesOf, problemsOf, success } from "./exchange-findings.js";
import type { ExchangeSketch } from "./recorded-exchange.js";

describe("judgeExchange with a wrong response", () => {
  it("judges responses by the contract, and masks what it quotes", async () => {
    const findings = await problemsOf({ call: "DELETE /users/me", answer: { result: "success", api_key: "sesame-1" } });
    expect(findings).toEqual([
      "the response has further fields: api_key",
      "200: body: must have required property 'msg'",
    ]);
    expect(await problemsOf({ call: "DELETE /users/me", status: 500, answer: { api_key: "sesame-1" } })).toEqual([
      '500: status: the server failed with 500 with {"api_key":"***"}',
    ]);
  });

  it.each<[string, ExchangeSketch, string]>([
    [
      "a server that hides unsupported parameters",
      { call: "PATCH /messages/5", form: { topic: "x", colour: "red" }, answer: edited },
      "must conventions.ignored-parameters undefined",
    ],
    [
      "a server that accepts anyone",
      { call: "DELETE /users/me", authorization: null },
      "must authentication.no-credentials undefined",
    ],
    [
      "a server that accepts too little",
      { call: "POST /users/me/ios_device_token", form: { token: "x" } },
      "must push.add-ios-token.appid-required undefined",
    ],
    [
      "a server that adds fields",
      { call: "DELETE /users/me", answer: { ...success, extra: 1 } },
      "must conventions.nothing-else undefined",
    ],
  ])("names %s", async (_, sketch, finding) => {
    const found = await namesOf(sketch);
    expect(found.filter((name) => !name.startsWith("must request.") && !name.startsWith("should"))).toEqual([finding]);
  });
});
