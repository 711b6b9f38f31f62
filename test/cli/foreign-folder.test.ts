import { execFileSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder, museum, shop, write } from "../support/museum.js";
import { startAccordIn } from "../support/run-accord.js";

const marker = "code-ran";
const touch = (folder: string) => `require("node:fs").writeFileSync(${JSON.stringify(join(folder, marker))}, "");`;

/** A repository whose every file that can name a program names one, which leaves a file behind. */
function makeHostile(contract: "openapi" | "proto"): string {
  const folder = makeFolder({ "openapi.yaml": museum, "proto/shop/v1/shop.proto": shop });
  const script = join(folder, "evil");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, stdio: "ignore" });
  git("init");
  write(folder, {
    "accord.yaml": `contracts:\n  museum: ${contract === "openapi" ? "{openapi: openapi.yaml}" : "{proto: proto}"}\n`,
    "buf.yaml": { version: "v2", modules: [{ path: "proto" }], plugins: [{ plugin: script }] },
    "checks/evil.js": `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(folder, marker))}, "");\n`,
    "redocly.yaml": "plugins: [./evil.cjs]\nextends: [recommended]\n",
    "evil.cjs": `${touch(folder)}\nmodule.exports = { id: "evil" };\n`,
    ".gitattributes": "* filter=evil\n",
  });
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@museum.example", "commit", "--no-gpg-sign", "--message", "First");
  write(folder, { evil: `#!/bin/sh\ntouch ${join(folder, marker)}\ncat\n` });
  write(folder, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${join(folder, marker)}\n` });
  for (const file of ["evil", ".git/hooks/post-checkout"]) chmodSync(join(folder, file), 0o755);
  git("config", "core.fsmonitor", script);
  git("config", "filter.evil.smudge", script);
  return folder;
}

async function run(folder: string, ...args: string[]) {
  const running = startAccordIn(folder, ...args);
  // Servers run until they are stopped.
  void running.printed(/http:\/\/|documentation/).then(
    () => running.child.kill("SIGINT"),
    () => {},
  );
  const end = await running.finished;
  return { ...end, ran: existsSync(join(folder, marker)) };
}

describe("a stranger's folder", () => {
  it.each([
    ["openapi", ["docs", "museum", "--port", "0"]],
    ["openapi", ["mock", "museum", "--port", "0"]],
    ["openapi", ["spec", "museum"]],
    ["openapi", ["generate"]],
    ["openapi", ["breaking", "--against", "HEAD"]],
    ["openapi", ["lint", "--no-code", "--tier", "minimal"]],
    ["openapi", ["verify", "museum", "http://127.0.0.1:9", "--no-code"]],
    ["openapi", ["check", "museum", "none.har"]],
    ["proto", ["mock", "museum", "--port", "0"]],
    ["proto", ["spec", "museum"]],
    ["proto", ["generate"]],
    ["proto", ["breaking", "--against", "HEAD"]],
    ["proto", ["lint", "--no-code", "--tier", "strict"]],
  ] as const)("in %s runs no code of its own in accord %j", async (contract, args) => {
    const { ran, stdout, stderr } = await run(makeHostile(contract), ...args);
    expect({ ran, stderr: stderr.includes("evil") }, stdout + stderr).toEqual({ ran: false, stderr: false });
  });

  it("runs no code of its own in accord init", async () => {
    const folder = makeHostile("openapi");
    execFileSync("rm", [join(folder, "accord.yaml")]);
    expect(await run(folder, "init", "openapi.yaml")).toMatchObject({ code: 0, ran: false });
  });

  it.each([["lint"], ["verify", "museum", "http://127.0.0.1:9"]])(
    "runs its checks in code in accord %s",
    async (...args) => {
      expect(await run(makeHostile("openapi"), ...args)).toMatchObject({ ran: true });
    },
  );

  it.each(["^HEAD", "HEAD..HEAD", "--output=x", "-h", "HEAD\n", ""])("names no revision by %j", async (against) => {
    expect(await run(makeHostile("openapi"), "breaking", `--against=${against}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^accord: .*is neither a Git revision of this clone, a folder nor a file\./s),
    });
  });
});
