import { execFile } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { copyProject, type ProjectCopy } from "./support/project-copy.js";
import { isThorough } from "./support/thorough.js";

// Each test does what a section of CONTRIBUTING.md says, and nothing else, in a copy of the project.

function write({ folder }: ProjectCopy, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const operation = `post:
  operationId: unmuteUser
  summary: Unmute a user
  description: Ends that the caller mutes a user.
  tags: [users]
  x-feature: users.unmute
  x-typical-case: muted_user

  parameters:
    - name: muted_user_id
      in: path
      required: true
      description: The muted user.
      x-refers-to: {kind: user, rules: [users.unmute.not-muted]}
      schema:
        $ref: ../components/schemas/UserId.yaml

  responses:
    '200':
      description: The user is no longer muted.
      content:
        application/json:
          schema:
            $ref: ../components/schemas/UnmuteUserSuccess.yaml
    '400':
      description: The request was refused.
      content:
        application/json:
          schema:
            anyOf:
              - $ref: ../components/schemas/errors/BadRequestError.yaml
              - $ref: ../components/schemas/errors/OtherError.yaml
    '401':
      $ref: ../components/responses/Unauthorized.yaml
    default:
      $ref: ../components/responses/OtherError.yaml

  x-rules:
    - id: users.unmute.unmuted
      text: A muted user can be unmuted.
      source: Mute a user
    - id: users.unmute.not-muted
      text: Unmuting a user who is not muted gets code BAD_REQUEST.
      source: Mute a user
`;
const schema = `type: object
description: The user is no longer muted.
required: [result, msg]
properties:
  result:
    $ref: SuccessResult.yaml
  msg:
    $ref: SuccessMessage.yaml
  ignored_parameters_unsupported:
    $ref: IgnoredParametersUnsupported.yaml
additionalProperties: true
`;
const success = `parameters: {muted_user_id: 47}
status: 200
response:
  summary: The caller has muted the user
  x-case:
    rule: users.unmute.unmuted
    given:
      - state: muted-user
        params: {by: member, user: other}
  value:
    result: success
    msg: ''
`;
const refusal = `parameters: {muted_user_id: 48}
status: 400
response:
  summary: The caller has not muted the user
  x-case:
    rule: users.unmute.not-muted
    given: [organization]
    bind:
      muted_user_id: credentials.other.user_id
  value:
    result: error
    msg: User not muted
    code: BAD_REQUEST
`;
const handler = `import { badRequest } from ${JSON.stringify("../refusals.js")};
import type { Operation, Services } from ${JSON.stringify("../services.js")};

/** Ends that the caller mutes a user. */
export function createUnmuteUser({ database }: Services): Operation<"unmuteUser"> {
  return async ({ parameters, caller: { user } }) => {
    const { numDeletedRows } = await database
      .deleteFrom("muted_user")
      .where("user_id", "=", user.id)
      .where("muted_user_id", "=", parameters.muted_user_id)
      .executeTakeFirst();
    return numDeletedRows > 0n ? undefined : badRequest("User not muted");
  };
}
`;

it.runIf(isThorough)("adds an operation with a rule, cases and a fault", async () => {
  using project = copyProject();
  write(project, "openapi/paths/users_me_muted_users_{muted_user_id}_unmute.yaml", operation);
  const after = "  /users/me/subscriptions:\n";
  const entry =
    "/users/me/muted_users/{muted_user_id}/unmute:\n    $ref: paths/users_me_muted_users_{muted_user_id}_unmute.yaml";
  project.replace("openapi/chat.yaml", after, `  ${entry}\n${after}`);
  write(project, "openapi/components/schemas/UnmuteUserSuccess.yaml", schema);
  write(project, "openapi/components/examples/unmuteUser/muted_user.yaml", success);
  write(project, "openapi/components/examples/unmuteUser/unmuted_user.yaml", refusal);
  write(project, "reference/chat/users/unmute-user.ts", handler);
  const handlers = "reference/chat/handlers.ts";
  project.replace(handlers, "\n/** The", '\nimport { createUnmuteUser } from "./users/unmute-user.js";\n\n/** The');
  project.replace(handlers, "    muteUser:", "    unmuteUser: writes(createUnmuteUser),\n    muteUser:");
  project.replace(
    "scripts/faults/chat/faults/users-and-groups.ts",
    'ofFamily("users", [\n',
    `ofFamily("users", [
  fault("unmuting-refused", "refuses to unmute users")
    .breaks("users.unmute.unmuted")
    .refuses("unmuteUser", () => true),
`,
  );
  project.replace("CHANGELOG.md", "Commands:\n\n", "Commands:\n\n- `unmuteUser`: ends that a user is muted.\n");
  for (const command of ["generate", "lint --contracts", "check-rules", "breaking"])
    expect([command, await project.run(command)]).toEqual([command, expect.objectContaining({ code: 0 })]);
  const { code, output } = await project.run("faults unmuting-refused");
  expect(code).toBe(0);
  expect(output).toMatch(/"failed": \[\s+"users\.unmute\.unmuted"/);
});

const message = `
// LoginStatusRequest asks for the login.
message LoginStatusRequest {}

// LoginStatusResponse describes the login.
message LoginStatusResponse {
  // state is the step for which the login waits.
  string state = 1;
}
`;
const cases = `rpc: MeshControlService/LoginStatus

rules:
  - id: login-status.returns-state
    text: LoginStatus returns the state of the login.
    source: Endpoints
    shown: {by: value, at: [/state]}
cases:
  - name: login-status
    summary: Ask for the login
    rule: login-status.returns-state
    rpc: MeshControlService/LoginStatus
    request: {}
    reply: { state: waiting }
`;

// A program that names the new RPC wherever its author would.
const use = `
import { createDaemonReference } from "./reference/daemon/create-daemon-reference.ts";
import { createDaemonClient, createInMemoryDaemonClient } from "./src/daemon/index.ts";
import { createDaemonMock } from "./src/mock.ts";

const unused = () => ({});
const handlers = {
  previewImport: unused, applyImport: unused, selectNode: unused, loginCancel: unused,
  loginStatus: () => ({ state: "served" }),
};
const mock = await createDaemonMock();
const server = await createDaemonReference();
const clients = [mock, server].map(({ addresses }) => createDaemonClient({ address: addresses[0] }));
clients.push(createInMemoryDaemonClient(handlers));
const states = await Promise.all(clients.map(async ({ meshControl }) => (await meshControl.loginStatus({})).state));
for (const { close } of [...clients, mock, server]) await close();
console.log(states.join(" "));
`;

it.runIf(isThorough)("adds an RPC, and generates other files byte for byte", async () => {
  using project = copyProject();
  const damaged = "generated/chat/operations.ts";
  appendFileSync(join(project.folder, damaged), "// by hand\n");
  const deleted = "generated/guides/feature-levels.md";
  rmSync(join(project.folder, deleted));
  const unknown = join(project.folder, "generated/daemon/old.ts");
  writeFileSync(unknown, "");
  const proto = "proto/proxydaemon/v1/mesh_control.proto";
  const rpc =
    "  // LoginStatus tells about the login.\n  rpc LoginStatus(LoginStatusRequest) returns (LoginStatusResponse);\n";
  project.replace(proto, "service MeshControlService {\n", `service MeshControlService {\n${rpc}`);
  appendFileSync(join(project.folder, proto), message);
  write(project, "proto/cases/login-status.yaml", cases);
  project.replace(
    "reference/daemon/handlers.ts",
    "    loginCancel:",
    '    loginStatus: () => ({ state: "waiting" }),\n    loginCancel:',
  );
  project.replace("CHANGELOG.md", "Commands:\n\n", "Commands:\n\n- `LoginStatus`: tells about the login.\n");
  for (const command of ["generate", "lint --contracts", "check-rules", "breaking"])
    expect([command, await project.run(command)]).toEqual([command, expect.objectContaining({ code: 0 })]);
  for (const path of [damaged, deleted])
    expect(readFileSync(join(project.folder, path), "utf8")).toBe(readFileSync(path, "utf8"));
  expect(existsSync(unknown)).toBe(false);

  write(project, "use.ts", use);
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "use.ts"], {
    cwd: project.folder,
  });
  expect(stdout.trim()).toBe("waiting waiting served");
});
