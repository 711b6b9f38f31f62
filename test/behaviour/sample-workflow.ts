import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { packageFile } from "../../src/base/package-file.js";
import { expandWorkflows } from "../../src/behaviour/expand-workflows.js";
import { loadContract } from "../../src/chat/contract.js";

const contract = await loadContract();

const components = `at-will:
  description: Members edit whenever they like.
  state: organization
  params: {settings: {allow_message_editing: true}}
read:
  description: Reads a message.
  call: getMessages
  with: {num_before: 0, num_after: 0}
`;

/** A file with one correct workflow. */
export const sampleWorkflow = `leave-twice:
  summary: A channel that was left is reported as not removed the second time
  rules: [subscriptions.remove.not-removed]
  as: member
  given:
    - {use: at-will, params: {settings: {topics_required: false}}}
    - {state: channel, params: {name: Denmark, subscribers: [member]}}
  steps:
    - id: leave
      rules: [subscriptions.remove.removed]
      call: unsubscribe
      with: {subscriptions: [Denmark]}
      expect: {/removed/0: Denmark}
    - id: read
      use: read
      as: nobody
      with: {anchor: newest, num_after: 1}
      expect: {status: 4XX}
    - id: leave-again
      call: unsubscribe
      with: {subscriptions: [Denmark], principals: '[{$credentials.member.user_id}]'}
      unknown: {colour: blue}
      expect:
        /not_removed: [Denmark]
        /removed/0: {present: false}
`;

/** Expands the workflows of files. */
export function expand(text: string, ...further: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "accord-workflows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const behaviour = join(folder, "behaviour");
  mkdirSync(behaviour);
  copyFileSync(packageFile("openapi/states.yaml"), join(folder, "states.yaml"));
  writeFileSync(join(behaviour, "components.yaml"), components);
  for (const [index, one] of [text, ...further].entries()) writeFileSync(join(behaviour, `test-${index}.yaml`), one);
  return expandWorkflows(contract, behaviour, "openapi/behaviour");
}
