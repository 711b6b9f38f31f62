import { describe, expect, it } from "vitest";
import { chatContract } from "../../../src/chat/contract.js";
import { createSecret } from "../../../src/secrets/secret.js";
import { type VerifyRestOptions, verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { formatSummary } from "../../../src/verify.js";
import { stableText } from "./report-text.js";
import { hasThreeOperations, missingInWays, startUnfinishedServer } from "./unfinished-server.js";

const usual = { level: 415, seed: 1, jobs: 2, timeoutMs: 300_000 };

/** Verifies a server, and returns the report with names and numbers that do not differ from run to run. */
async function reportOn(server: { readonly url: string }, options: Partial<VerifyRestOptions>): Promise<string> {
  const report = await verifyRest(await chatContract(), { ...usual, url: server.url, ...options });
  return stableText(formatSummary(report), new URL(server.url).origin);
}

describe("the whole report", () => {
  it.each([
    ["404-in-html", "404 in HTML", hasThreeOperations],
    ["501", "501", hasThreeOperations],
    ["400-to-everything", "400 in the envelope of the API", () => false],
  ])("on a server that answers %s", async (file, way, has) => {
    const server = await startUnfinishedServer(has, missingInWays[way] ?? (() => {}));
    const text = await reportOn(server, { statesUrl: server.statesUrl });
    await expect(text).toMatchFileSnapshot(`reports/${file}.txt`);
  });

  it("on a server with one account", async () => {
    const server = await startUnfinishedServer(hasThreeOperations, missingInWays["404 in HTML"] ?? (() => {}));
    const setup = await fetch(server.statesUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ state: "organization", params: {}, action: "setup" }),
    });
    const { member } = (await setup.json()).credentials;
    const accounts = { member: { name: member.email, secret: createSecret(member.api_key) } };
    await expect(await reportOn(server, { accounts })).toMatchFileSnapshot("reports/one-account.txt");
  });
});
