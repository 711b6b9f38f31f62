import { renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { copyProject, type ProjectCopy } from "../support/project-copy.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const path = "openapi/paths/users_me_subscriptions.yaml";
const cases = "openapi/components/examples/unsubscribe";
const subscriptions = "proto/proxydaemon/v1/proxy_subscriptions.proto";

// Breaks the contract in one way, and names the check that must fail and the expected message. `npm test` shows that
// the checks pass on the unchanged project.
const mutations: readonly [name: string, mutate: (copy: ProjectCopy) => void, check: string, says: string | RegExp][] =
  [
    [
      "a required response field dropped",
      (copy) => copy.replace("openapi/components/schemas/UnsubscribeSuccess.yaml", "removed, not_removed]", "removed]"),
      "breaking",
      /no longer required: `not_removed`[\s\S]*change since .*: major/,
    ],
    [
      "a response field renamed",
      (copy) => copy.replace("openapi/components/schemas/UnsubscribeSuccess.yaml", /not_removed/g, "already_removed"),
      "lint --contracts",
      "must have required property 'already_removed'",
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
      "breaking",
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
      "breaking",
      "became required: `principals`",
    ],
    [
      "a proto field retyped",
      (copy) => copy.replace(subscriptions, /string url = (\d+)/, "bytes url = $1"),
      "breaking",
      /changed type from "string" to "bytes"/,
    ],
    [
      "a proto field without its comment",
      (copy) => copy.replace(subscriptions, /( *\/\/[^\n]*\n)+( *string url = )/, "$2"),
      "lint --contracts",
      'Field "url" should have a non-empty comment',
    ],
    [
      "a case with a status that the operation lacks",
      (copy) => copy.replace("openapi/components/examples/muteUser/own_user.yaml", "status: 400", "status: 404"),
      "lint --contracts",
      "own_user.yaml:2: `muteUser` has no response 404",
    ],
    [
      "a case file removed",
      (copy) => copy.remove(`${cases}/id_refused.yaml`),
      "check-rules",
      "subscriptions.remove.principals-not-by-id: no case or workflow names it.",
    ],
    [
      "an example broken",
      (copy) =>
        copy.replace(
          `${cases}/unknown_channel.yaml`,
          "subscriptions: [nordic folk dance]",
          "subscriptions: nordic folk dance",
        ),
      "lint --contracts",
      "`subscriptions` property type must be array",
    ],
    [
      "a rule that nothing checks",
      (copy) =>
        copy.replace(
          path,
          "  x-rules:\n",
          "  x-rules:\n    - id: subscriptions.remove.new\n      text: Something new holds.\n",
        ),
      "check-rules",
      "subscriptions.remove.new: no case or workflow names it.",
    ],
    [
      "a rule renamed that `x-refers-to` names",
      (copy) =>
        copy.replace(
          "openapi/paths/users_me_muted_users_{muted_user_id}.yaml",
          "- id: users.mute.unknown-user",
          "- id: users.mute.unknown",
        ),
      "lint --contracts",
      "neither the operation nor chat.yaml has a rule `users.mute.unknown-user`",
    ],
    [
      "a probe of the daemon without an RPC",
      (copy) => copy.replace("proto/cases/login-cancel.yaml", "probes: [refusal]\n", ""),
      "lint --contracts",
      "exactly one file must have the probe refusal",
    ],
    [
      "a rule shown by omitting an optional parameter",
      (copy) => copy.replace("openapi/paths/messages.yaml", "parameter: num_before}", "parameter: narrow}"),
      "check-rules",
      "messages.get.num-before-required: `shown-by` leads to no probe.",
    ],
    [
      "a daemon case with a field that the message lacks",
      (copy) => copy.replace("proto/cases/select-node.yaml", /selectedOrdinal:/, "selectedOrdinals:"),
      "lint --contracts",
      "selectedOrdinals",
    ],
  ];

/** Groups of mutations that one run of a check covers, because each run takes seconds. Mutations of a group change different files. */
const together: readonly (readonly string[])[] = [
  [
    "a response field renamed",
    "a case with a status that the operation lacks",
    "a proto field without its comment",
    "an example broken",
    "a daemon case with a field that the message lacks",
    "a rule renamed that `x-refers-to` names",
    "a probe of the daemon without an RPC",
  ],
  [
    "a required response field dropped",
    "an operation renamed",
    "a request field made required",
    "a proto field retyped",
  ],
  ["a case file removed", "a rule that nothing checks", "a rule shown by omitting an optional parameter"],
];

describe("the checks of the contracts", () => {
  it("are tested with every mutation, in one of the runs below", () => {
    expect(together.flat().sort()).toEqual(mutations.map(([name]) => name).sort());
  });

  it.each(together.map((names) => [names]))("fail on %j", async (names) => {
    const chosen = mutations.filter(([name]) => names.includes(name));
    using copy = copyProject();
    const [, , check = ""] = chosen[0] ?? [];
    for (const [, mutate] of chosen) mutate(copy);
    // The changes since the last release may already need the next version, and the changelog may name every operation.
    const { code, output } = await copy.run(check === "breaking" ? `breaking --against ${root}` : check);
    expect(chosen.map(([, , own]) => own)).toEqual(names.map(() => check));
    for (const [, , , says] of chosen) expect(output).toMatch(says);
    expect(code).toBe(1);
  });
});
