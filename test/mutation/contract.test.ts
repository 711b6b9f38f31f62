import { renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { copyProject, type ProjectCopy } from "../support/project-copy.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const path = "openapi/paths/users_me_subscriptions.yaml";
const cases = "openapi/components/examples/unsubscribe";
const subscriptions = "proto/proxydaemon/v1/proxy_subscriptions.proto";

type Mutation = readonly [name: string, mutate: (copy: ProjectCopy) => void, says: string | RegExp];

// By the check that must fail: ways to break the contract, each in other files, and the expected message. One run of a
// check takes seconds, so it covers all of them. `npm test` shows that the checks pass on the unchanged project.
const mutations: Readonly<Record<string, readonly Mutation[]>> = {
  breaking: [
    [
      "a required response field dropped",
      (copy) => copy.replace("openapi/components/schemas/UnsubscribeSuccess.yaml", "removed, not_removed]", "removed]"),
      /no longer required: `not_removed`[\s\S]*change since .*: major/,
    ],
    [
      "an operation renamed",
      (copy) => {
        const examples = join(copy.folder, "openapi/components/examples");
        copy.replace(
          "openapi/paths/navigation_views_{fragment}.yaml",
          "operationId: removeNavigationView",
          "operationId: forgetNavigationView",
        );
        renameSync(join(examples, "removeNavigationView"), join(examples, "forgetNavigationView"));
      },
      "forgetNavigationView",
    ],
    [
      "a request field made required",
      (copy) =>
        copy.replace(
          "openapi/components/schemas/UnsubscribeRequest.yaml",
          "required: [subscriptions]",
          "required: [subscriptions, principals]",
        ),
      "became required: `principals`",
    ],
    [
      "a proto field retyped",
      (copy) => copy.replace(subscriptions, /string url = (\d+)/, "bytes url = $1"),
      /changed type from "string" to "bytes"/,
    ],
  ],
  "lint --contracts": [
    [
      "a response field renamed",
      (copy) => copy.replace("openapi/components/schemas/UnsubscribeSuccess.yaml", /not_removed/g, "already_removed"),
      "must have required property 'already_removed'",
    ],
    [
      "a proto field without its comment",
      (copy) => copy.replace(subscriptions, /( *\/\/[^\n]*\n)+( *string url = )/, "$2"),
      'Field "url" should have a non-empty comment',
    ],
    [
      "a case with a status that the operation lacks",
      (copy) => copy.replace("openapi/components/examples/muteUser/own_user.yaml", "status: 400", "status: 404"),
      "own_user.yaml:2: `muteUser` has no response 404",
    ],
    [
      "an example broken",
      (copy) =>
        copy.replace(
          `${cases}/unknown_channel.yaml`,
          "subscriptions: [nordic folk dance]",
          "subscriptions: nordic folk dance",
        ),
      "`subscriptions` property type must be array",
    ],
    [
      "a rule renamed that `x-refers-to` names",
      (copy) =>
        copy.replace(
          "openapi/paths/users_me_muted_users_{muted_user_id}.yaml",
          "- id: users.mute.unknown-user",
          "- id: users.mute.unknown",
        ),
      "neither the operation nor the root of the contract has a rule `users.mute.unknown-user`",
    ],
    [
      "a probe of the daemon without an RPC",
      (copy) => copy.replace("proto/cases/login-cancel.yaml", "probes: [refusal]\n", ""),
      "exactly one file must have the probe refusal",
    ],
    [
      "a daemon case with a field that the message lacks",
      (copy) => copy.replace("proto/cases/select-node.yaml", /selectedOrdinal:/, "selectedOrdinals:"),
      "selectedOrdinals",
    ],
  ],
  "check-rules": [
    [
      "a case file removed",
      (copy) => copy.remove(`${cases}/id_refused.yaml`),
      "subscriptions.remove.principals-not-by-id: no case or workflow names it.",
    ],
    [
      "a rule that nothing checks",
      (copy) =>
        copy.replace(
          path,
          "  x-rules:\n",
          "  x-rules:\n    - id: subscriptions.remove.new\n      text: Something new holds.\n",
        ),
      "subscriptions.remove.new: no case or workflow names it.",
    ],
    [
      "a rule shown by omitting an optional parameter",
      (copy) => copy.replace("openapi/paths/messages.yaml", "parameter: num_before}", "parameter: narrow}"),
      "messages.get.num-before-required: `shown-by` leads to no probe.",
    ],
  ],
};

describe("npm run", () => {
  it.each(Object.entries(mutations))("%s fails on every mutation", async (check, chosen) => {
    using copy = copyProject();
    for (const [, mutate] of chosen) mutate(copy);
    // The changes since the last release may already need the next version, and the changelog may name every operation.
    const { code, output } = await copy.run(check === "breaking" ? `breaking --against ${root}` : check);
    for (const [name, , says] of chosen) expect(output, name).toMatch(says);
    expect(code).toBe(1);
  });
});
