import { afterEach, describe, expect, it, vi } from "vitest";
import { needing } from "./needing.js";

afterEach(() => void vi.unstubAllEnvs());

describe("needing", () => {
  it("returns the functions of Vitest if nothing is missing", () => {
    vi.stubEnv("ACCORD_MISSING", "nginx");
    expect(needing("bash", "curl")).toEqual({ describe, it });
  });

  it("rejects missing programs in CI", () => {
    vi.stubEnv("CI", "true");
    vi.stubEnv("ACCORD_MISSING", "curl");
    expect(() => needing("curl")).toThrow("not installed (missing: curl). Run .ci/install");
  });

  it("rejects programs that .ci/install does not know", () => {
    expect(() => needing("gcc")).toThrow(".ci/install has no line for gcc");
  });
});
