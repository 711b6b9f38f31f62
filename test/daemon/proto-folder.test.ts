import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { protoFolder } from "../../src/daemon/proto-folder.js";

afterEach(() => vi.restoreAllMocks());

describe("protoFolder", () => {
  it("returns a relative path if the working directory is above the folder", () => {
    expect(protoFolder()).toBe("proto");
  });

  it("returns an absolute path if the working directory is elsewhere", () => {
    vi.spyOn(process, "cwd").mockReturnValue(join(tmpdir(), "accord", "far", "elsewhere"));
    const folder = protoFolder();
    expect(isAbsolute(folder)).toBe(true);
    expect(existsSync(join(folder, "proxydaemon/v1/proxy_subscriptions.proto"))).toBe(true);
  });
});
