import { renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyProject, type ProjectCopy } from "../support/project-copy.js";

const path = "openapi/paths/users_me_subscriptions.yaml";
const cases = "openapi/components/examples/unsubscribe";
const subscriptions = "proto/daemon/v1/proxy_subscriptions.proto";

// Breaks the contract in one way and says which check must turn red, and with which words. That the checks are green on the project as it is,
// `npm test` shows by running them.
const mutations: readonly [name: string, mutate: (copy: ProjectCopy) => void, check: string, says: string | RegExp][] =
  [
    [
      "a required response field dropped",
      (copy) => copy.replace("openapi/components/schemas/UnsubscribeSuccess.yaml", "removed, not_removed]", "removed]"),
      "breaking",
      /no longer required: `not_removed`[\s\S]*change since \S+: major/,
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
        copy.replace(path, "operationId: unsubscribe", "operationId: leaveChannels");
        renameSync(join(copy.folder, cases), join(copy.folder, "openapi/components/examples/leaveChannels"));
      },
      "breaking",
      "leaveChannels",
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
      (copy) => copy.replace(`${cases}/unknown_channel.yaml`, "status: 400", "status: 404"),
      "lint --contracts",
      "unknown_channel.yaml:5: `unsubscribe` has no response 404",
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
      "a description changed without generating",
      (copy) => copy.replace(path, "Removes the caller", "Takes the caller"),
      "check-generated",
      /generated\/chat\/openapi\.yaml is out of date[\s\S]*npm run generate/,
    ],
    [
      "a daemon case with a field that the message lacks",
      (copy) => copy.replace("proto/cases/select-node.yaml", /selectedOrdinal:/, "selectedOrdinals:"),
      "lint --contracts",
      "selectedOrdinals",
    ],
  ];

/** What one run of a check shows together, because it touches other files: a run takes seconds. */
const together: readonly (readonly string[])[] = [
  [
    "a response field renamed",
    "a proto field without its comment",
    "an example broken",
    "a daemon case with a field that the message lacks",
  ],
  ["a required response field dropped", "a request field made required", "a proto field retyped"],
];

const alone = mutations.map(([name]) => [name]).filter(([name = ""]) => !together.flat().includes(name));

describe("the checks of the contracts", () => {
  it.each([...together, ...alone].map((names) => [names]))("turn red on %j", async (names) => {
    const chosen = mutations.filter(([name]) => names.includes(name));
    using copy = copyProject();
    for (const [, mutate] of chosen) mutate(copy);
    const [, , check = ""] = chosen[0] ?? [];
    const { code, output } = await copy.run(check);
    expect(chosen.map(([, , own]) => own)).toEqual(names.map(() => check));
    for (const [, , , says] of chosen) expect(output).toMatch(says);
    expect(code).toBe(1);
  });
});
