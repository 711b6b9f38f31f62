import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ChatReference, createChatReference } from "../reference/chat/create-chat-reference.js";
import { startFaultProxy } from "../scripts/faults/chat/create-fault-proxy.js";
import { faults } from "../scripts/faults/chat/faults.js";
import { runRespect } from "../scripts/redocly/run-respect.js";
import { packageFile } from "../src/base/package-file.js";

const folder = packageFile("generated/chat/behaviour");

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

describe("stock Respect", () => {
  it("passes every workflow on the reference server", async () => {
    const documents = readdirSync(folder).filter((name) => name.endsWith(".arazzo.yaml"));
    const { passed, failed } = await runRespect(
      documents.map((name) => join(folder, name)),
      reference.url,
    );
    expect(failed).toEqual([]);
    expect(passed.length).toBeGreaterThan(200);
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
    const document = join(folder, `${resource}.arazzo.yaml`);
    expect(await runRespect([document], url, "--workflow", workflow)).toEqual({ passed: [], failed: [workflow] });
  });
});
