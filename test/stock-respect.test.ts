import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ChatReference, createChatReference } from "../reference/chat/create-chat-reference.js";
import { startFaultProxy } from "../scripts/faults/chat/create-fault-proxy.js";
import { faults } from "../scripts/faults/chat/faults.js";
import { lintDocument } from "../src/lint/rest/lint-openapi.js";
import { temporaryFolder } from "./support/reference-process.js";
import { runInProcess } from "./support/run-in-process.js";
import { runRespect } from "./support/run-respect.js";
import { isThorough } from "./support/thorough.js";

const folder = temporaryFolder();
const document = (resource: string) => folder.inside(`behaviour/${resource}.arazzo.yaml`);
let resources: readonly string[];
let reference: ChatReference;
beforeAll(async () => {
  await runInProcess("spec", "chat", "--profile", "arazzo", "--output", folder.path);
  const names = readdirSync(folder.inside("behaviour")).filter((name) => name.endsWith(".arazzo.yaml"));
  resources = names.map((name) => name.replace(".arazzo.yaml", ""));
  reference = await createChatReference({ states: true });
});
afterAll(async () => {
  await reference.close();
  folder[Symbol.dispose]();
});

it("Redocly finds no problem in the workflows", async () => {
  const findings = await Promise.all(resources.map((resource) => lintDocument(document(resource))));
  expect(findings.flat()).toEqual([]);
});

describe("stock Respect", () => {
  it.skipIf(!isThorough)("passes every workflow on the reference server", async () => {
    const { passed, failed } = await runRespect(resources.map(document), reference.url);
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(200);
  });

  it("passes the workflows of a resource on the reference server", async () => {
    const { passed, failed } = await runRespect([document("reminders")], reference.url);
    expect(failed).toEqual([]);
    expect(passed).not.toEqual([]);
  });

  it.each([
    ["number-as-text", "organization-settings", "profile-fields-id-names-field"],
    ["created-instead-of-ok", "reminders", "reminder-delivered"],
    ["no-msg", "channels", "default-channels-cycle"],
    ["other-code", "uploads", "attachments-delete-twice"],
    ["errors-with-200", "muting-users", "muting-users-twice"],
    ["edit-lost", "editing", "editing-content"],
    ["move-lost", "moving", "moving-change-one"],
    ["earlier-content-not-rendered", "edit-history", "edit-history-of-content"],
  ])("reports the fault %s", async (name, resource, workflow) => {
    const fault = faults.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`There is no fault ${name}`);
    const { url, close } = await startFaultProxy(reference.url, fault.behaviour);
    onTestFinished(close);
    expect(await runRespect([document(resource)], url, "--workflow", workflow)).toEqual({
      passed: [],
      failed: [workflow],
    });
  });
});
