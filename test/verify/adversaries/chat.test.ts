import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatContract } from "../../../src/chat/contract.js";
import { createChatMock } from "../../../src/chat/mock.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { exitCode, type VerifyReport } from "../../../src/verify.js";
import { startEmptiestChat } from "./start-emptiest-chat.js";
import { startPlausibleStates } from "./start-plausible-states.js";

/** A complete run takes minutes, so it needs `ACCORD_REPEAT`. */
const isWhole = process.env.ACCORD_REPEAT !== undefined;
const some = [
  ...["getServerSettings", "updateMutedTopic", "getMessages/by_", "removeAndroidToken"],
  ...["createProfileField/short_text", "createProfileField/no_credentials", "createProfileField/wrong_credentials"],
].map((name) => `case ${name}`);
const run = {
  level: newestLevel,
  jobs: 8,
  seed: 1,
  timeoutMs: 60_000,
  ...(isWhole ? {} : { only: [...some, "workflow server-settings-", "workflow topics-mute-"] }),
};

/** The rules that the emptiest success that the schemas allow shows, and why. */
const shownByEmptiness = {
  "server-settings.get.no-authentication": "settings are answered without a login",
  "server-settings.get.credentials-ignored": "settings are answered without a login",
};

/** The rules that the examples of the contract show if every caller gets them, and why. */
const shownByExamples = {
  ...shownByEmptiness,
  "server-settings.get.realm-uri": "both names hold the same URL",
  "server-settings.get.fields": "the example holds every setting",
  "server-settings.get.level-increases": "the level is always the same",
  "errors.status": "the mock refuses invalid requests with the statuses of the examples",
  "conventions.ignored-parameters": "the mock names the parameters of the request at hand",
  "authentication.no-credentials": "the mock refuses a request without credentials",
  "attachments.delete.not-logged-in": "the mock refuses a request without credentials",
  "uploads.tus.length": "the mock refuses a creation without a length, and takes one with it",
  "push.add-ios-token.appid-required": "the mock checks which parameters are required",
  "profile-fields.create.long-text-in-summary": "the mock refuses just this request",
  "profile-fields.create.person-picker-in-summary": "the mock refuses just this request",
  "push.remove-android-token.empty-token": "the mock refuses just this request",
  "push.add-ios-token.empty-token": "the mock refuses just this request",
  "topics.mute.no-channel": "the mock refuses just this request",
  "topics.mute.unknown-channel-name": "the mock refuses just this request",
};

function expectKept(report: VerifyReport, shown: Readonly<Record<string, string>>): void {
  const kept = toJsonReport(report).rules.flatMap(({ id, state }) => (state === "kept" ? id : []));
  expect(kept.filter((id) => !Object.hasOwn(shown, id))).toEqual([]);
  if (isWhole) expect(kept.sort()).toEqual(Object.keys(shown).sort());
  expect(exitCode(report)).toBe(1);
}

describe("verifyChat", () => {
  it("given a server that returns the emptiest responses to everyone, counts only the rules that they show as kept", async () => {
    const url = await startEmptiestChat(newestLevel);
    const report = await verifyRest(await chatContract(), { ...run, url, statesUrl: await startPlausibleStates() });
    expectKept(report, shownByEmptiness);
    const repeated = toJsonReport(report).rules.find(({ id }) => id === "topics.mute.repeated-add");
    expect(repeated).toMatchObject({
      state: "not-exercised",
      reason: "updateMutedTopic accepts requests that it must refuse, so its success shows nothing",
    });
  });

  it("given a server that returns the contract's examples to everyone, counts only the rules that they show as kept", async () => {
    const mock = await createChatMock({ acceptsStrangers: true });
    onTestFinished(mock.close);
    const report = await verifyRest(await chatContract(), {
      ...run,
      url: `${mock.url}/api/v1`,
      statesUrl: await startPlausibleStates(),
    });
    expectKept(report, shownByExamples);
  });

  it("is inconclusive without provider states, which most checks need", async () => {
    const mock = await createChatMock({ acceptsStrangers: true });
    onTestFinished(mock.close);
    const only = ["case getServerSettings", "workflow server-settings-", "case updateMutedTopic/mute"];
    const url = `${mock.url}/api/v1`;
    const report = await verifyRest(await chatContract(), { ...run, url, degree: "everything", only });
    expect(exitCode(report)).toBe(3);
    expect(exitCode({ ...report, minExercised: 10 })).toBe(0);
  });
});
