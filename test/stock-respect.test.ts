import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ChatReference, createChatReference } from "../reference/chat/create-chat-reference.js";
import { startFaultProxy } from "../scripts/faults/chat/create-fault-proxy.js";
import { faults } from "../scripts/faults/chat/faults.js";
import { runRedocly } from "../scripts/redocly/run-redocly.js";
import { packageFile } from "../src/contract/package-file.js";

const generated = packageFile("generated/chat");

let reference: ChatReference;
beforeAll(async () => {
  reference = await createChatReference({ states: true });
});
afterAll(() => reference.close());

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-respect-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs Respect as its users do. Returns the workflows that pass and fail. */
async function respect(url: string, files: readonly string[], ...options: readonly string[]) {
  const report = join(temporaryFolder(), "report.json");
  const servers = ["-S", `chat=${url}/api/v1`, "-S", `states=${url}`];
  const { ok, stderr } = await runRedocly("respect", ...files, ...servers, "--json-output", report, ...options);
  const { files: byFile }: Report = JSON.parse(readFileSync(report, "utf8"));
  const workflows = Object.values(byFile).flatMap(({ executedWorkflows }) => executedWorkflows);
  const named = (status: string) => workflows.filter((one) => one.status === status).map((one) => one.workflowId);
  return { ok, stderr, passed: named("success"), failed: named("error") };
}

interface Report {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { readonly workflowId: string; readonly status: string }[] }>
  >;
}

function documentsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".arazzo.yaml"))
    .map((name) => join(folder, name));
}

describe("stock Respect", () => {
  it("passes every workflow on the reference server", async () => {
    const { ok, passed, failed } = await respect(reference.url, documentsIn(join(generated, "behaviour")));
    expect({ ok, failed }).toEqual({ ok: true, failed: [] });
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
  ])("reports the fault %s", async (name, resource, workflow) => {
    const fault = faults.find((one) => one.name === name);
    if (fault === undefined) throw new Error(`There is no fault ${name}`);
    const { url, close } = await startFaultProxy(reference.url, fault.behaviour);
    onTestFinished(close);
    const file = join(generated, "behaviour", `${resource}.arazzo.yaml`);
    expect(await respect(url, [file], "--workflow", workflow)).toMatchObject({ ok: false, failed: [workflow] });
  });
});
