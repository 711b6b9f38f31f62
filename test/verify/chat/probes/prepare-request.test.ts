import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { listCases } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { listProbes } from "../../../../src/verify/chat/probes/list-probes.js";
import { prepareRequest } from "../../../../src/verify/chat/probes/prepare-request.js";
import { listProbedOperations } from "../../../../src/verify/chat/probes/probed-operation.js";
import type { StatesOutcome } from "../../../../src/verify/chat/states/states-client.js";
import { NotApplicableError } from "../../../../src/verify/run/session.js";

const view = atFeatureLevel(await loadContract(), newestLevel);
const probes = listProbes(view);
const operations = listProbedOperations(view, listCases(view));

function prepare(id: string, own: StatesOutcome, foreign?: StatesOutcome) {
  const probe = probes.find((one) => one.id === `probe ${id}`);
  const operation = operations.find(({ operationId }) => operationId === probe?.operationId);
  if (probe === undefined || operation === undefined) throw new Error(`there is no probe ${id}`);
  return prepareRequest(probe, operation, foreign === undefined ? { own } : { own, foreign });
}

function organization(name: string, firstId: number, values: Readonly<Record<string, unknown>> = {}): StatesOutcome {
  const callers = ["owner", "administrator", "member", "other", "deactivated"];
  const credentials = callers.map((caller, index) => {
    const email = `${caller}@${name}.example`;
    return [caller, { user_id: firstId + index, email, api_key: `key-of-${caller}-${name}` }] as const;
  });
  return { organization: name, credentials: Object.fromEntries(credentials), values };
}

const basic = (email: string, key: string) => `Basic ${btoa(`${email}:${key}`)}`;
const own = organization("ours", 10, { attachment_id: 5 });

describe("prepareRequest", () => {
  it.each([
    ["deleteAttachment/unknown-parameters", basic("member@ours.example", "key-of-member-ours")],
    ["deleteAttachment/deactivated-user", basic("deactivated@ours.example", "key-of-deactivated-ours")],
    ["deleteAttachment/no-base64", "Basic %%%"],
    ["deleteAttachment/no-credentials", undefined],
  ])("sends %s with the right credentials", (id, authorization) => {
    expect(prepare(id, own).wire.authorization).toBe(authorization);
  });

  it("sends the address of the caller with an invalid key", () => {
    const { authorization = "" } = prepare("deleteAttachment/wrong-key", own).wire;
    const [email, key] = atob(authorization.slice("Basic ".length)).split(":");
    expect(email).toBe("member@ours.example");
    const keys = Object.values(own.credentials).map(({ api_key }) => api_key);
    expect(keys).not.toContain(key);
    expect(key?.length).toBe("key-of-member-ours".length);
  });

  it("sends the id of another organization and nothing else from it", () => {
    const theirs = organization("theirs", 20, { attachment_id: 6 });
    const { wire, foreignTexts, secrets } = prepare(
      "deleteAttachment/attachment_id-of-another-organization",
      own,
      theirs,
    );
    expect(wire).toMatchObject({
      path: { attachment_id: "6" },
      authorization: basic("member@ours.example", "key-of-member-ours"),
    });
    expect(foreignTexts).toContain("member@theirs.example");
    expect(secrets).toEqual(expect.arrayContaining(["key-of-member-ours", "key-of-member-theirs"]));
  });

  it("allows a response to repeat the address that was sent", () => {
    const { wire, foreignTexts } = prepare(
      "updateUserByEmail/email-of-another-organization",
      own,
      organization("theirs", 20),
    );
    expect(wire.path.email).toBe("other%40theirs.example");
    expect(foreignTexts).not.toContain("other@theirs.example");
    expect(foreignTexts).toContain("owner@theirs.example");
  });

  it("throws a NotApplicableError if both organizations have the same id", () => {
    const theirs = organization("theirs", 10, { attachment_id: 5 });
    const prepared = () => prepare("deleteAttachment/attachment_id-of-another-organization", own, theirs);
    expect(prepared).toThrow(NotApplicableError);
    expect(prepared).toThrow("another organization of this server has the same `attachment_id`");
  });

  it("names the caller for whom the states returned no credentials", () => {
    const { deactivated: _, ...credentials } = own.credentials;
    const prepared = () => prepare("deleteAttachment/deactivated-user", { ...own, credentials });
    expect(prepared).toThrow("The provider states returned no credentials of deactivated");
  });
});
