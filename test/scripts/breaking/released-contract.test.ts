import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { lastRelease, readReleasedContract } from "../../../scripts/breaking/released-contract.js";
import { needing } from "../../support/needing.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), "accord-release-test-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const rpcs = "proto/proxydaemon/v1/proxy_subscriptions.proto";

/** An unpacked package, as `npm pack` lays it out. */
function packageFolder(): string {
  const folder = join(temporary, "package");
  mkdirSync(join(folder, "dist/generated/chat"), { recursive: true });
  cpSync(join(root, "generated/chat/openapi.yaml"), join(folder, "dist/generated/chat/openapi.yaml"));
  mkdirSync(dirname(join(folder, rpcs)), { recursive: true });
  cpSync(join(root, rpcs), join(folder, rpcs));
  return folder;
}

async function expectReleased(against: string): Promise<void> {
  const { openapi, proto, remove } = await readReleasedContract(against);
  expect(readFileSync(openapi, "utf8")).toMatch(/^openapi: 3\.1/m);
  expect(readFileSync(join(proto, rpcs), "utf8")).toContain("service ProxySubscriptions");
  expect(existsSync(join(proto, "buf.yaml"))).toBe(true);
  await remove();
  expect(existsSync(proto)).toBe(false);
}

describe("readReleasedContract", () => {
  it.each([
    ["a Git revision", () => "HEAD"],
    ["the folder of a checkout", () => root],
    ["an unpacked package", packageFolder],
  ])("reads %s", (_, against) => expectReleased(against()));

  needing("tar").it("reads the file of a package", async () => {
    packageFolder();
    execFileSync("tar", ["-czf", join(temporary, "release.tgz"), "-C", temporary, "package"]);
    await expectReleased(join(temporary, "release.tgz"));
  });

  it("leaves the index of the checkout unchanged", async () => {
    const status = () => execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
    const before = status();
    await (await readReleasedContract("HEAD")).remove();
    expect(status()).toBe(before);
  });

  it.each([
    ["no-such-revision", /neither a Git revision of this clone, a folder nor a file/],
    [tmpdir(), /has no generated\/chat\/openapi\.yaml/],
  ])("rejects %s with a reason", async (against, reason) => {
    await expect(readReleasedContract(against)).rejects.toThrow(reason);
  });
});

describe("lastRelease", async () => {
  const revision = await lastRelease();

  it.skipIf(revision === undefined)("names a revision of an earlier version (missing in a shallow clone)", () => {
    const manifest = execFileSync("git", ["show", `${revision}:package.json`], { cwd: root, encoding: "utf8" });
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(JSON.parse(manifest).version).not.toBe(version);
  });
});
