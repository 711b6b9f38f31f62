import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { copyProject } from "../../support/project-copy.js";
import { isThorough } from "../../support/thorough.js";

const message = `
// LoginStatusRequest asks for the login.
message LoginStatusRequest {}

// LoginStatusResponse describes the login.
message LoginStatusResponse {
  // state is the step for which the login waits.
  string state = 1;
}
`;
const cases = `rules:
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
import { createDaemonClient, createDaemonServer, createInMemoryDaemonClient } from "./src/daemon/index.ts";
import { createDaemonMock } from "./src/mock.ts";

const unused = () => ({});
const handlers = {
  previewImport: unused, applyImport: unused, selectNode: unused, loginCancel: unused,
  loginStatus: () => ({ state: "served" }),
};
const mock = await createDaemonMock();
const server = await createDaemonServer({ handlers });
const clients = [mock, server].map(({ addresses }) => createDaemonClient({ address: addresses[0] }));
clients.push(createInMemoryDaemonClient(handlers));
const states = await Promise.all(clients.map(async ({ meshControl }) => (await meshControl.loginStatus({})).state));
for (const { close } of [...clients, mock, server]) await close();
console.log(states.join(" "));
`;

it.runIf(isThorough)(
  "adds an RPC of proto/ to mock, stub and clients, and restores other files byte for byte",
  async () => {
    using project = copyProject();
    const damaged = "generated/chat/operations.ts";
    appendFileSync(join(project.folder, damaged), "// by hand\n");
    const deleted = "docs/feature-levels.md";
    rmSync(join(project.folder, deleted));
    const unknown = join(project.folder, "generated/daemon/old.ts");
    writeFileSync(unknown, "");
    const proto = "proto/proxydaemon/v1/mesh_control.proto";
    const rpc =
      "  // LoginStatus tells about the login.\n  rpc LoginStatus(LoginStatusRequest) returns (LoginStatusResponse);\n";
    project.replace(proto, "service MeshControlService {\n", `service MeshControlService {\n${rpc}`);
    writeFileSync(join(project.folder, proto), readFileSync(join(project.folder, proto), "utf8") + message);
    writeFileSync(join(project.folder, "proto/cases/login-status.yaml"), cases);
    expect(await project.run("generate")).toMatchObject({ code: 0, output: expect.stringContaining("wrote") });
    for (const path of [damaged, deleted])
      expect(readFileSync(join(project.folder, path), "utf8")).toBe(readFileSync(path, "utf8"));
    expect(existsSync(unknown)).toBe(false);

    writeFileSync(join(project.folder, "use.ts"), use);
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "use.ts"], {
      cwd: project.folder,
    });
    expect(stdout.trim()).toBe("waiting served served");
  },
);
