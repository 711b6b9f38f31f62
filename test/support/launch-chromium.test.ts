import { afterEach, describe, expect, it, vi } from "vitest";
import { launchChromium } from "./launch-chromium.js";

describe("launchChromium", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("says what to do if Chromium is missing", async () => {
    vi.stubEnv("CHROMIUM_PATH", "/nowhere/chromium");
    await expect(launchChromium()).rejects.toThrow(
      "There is no Chromium at /nowhere/chromium. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.",
    );
  });
});
