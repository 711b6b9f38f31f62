import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Commands of Chromium packages, starting with that of Debian. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * Starts a headless Chromium: that of the environment variable `CHROMIUM_PATH`, or else an installed one. Rejects if none is found. The
 * caller must close it.
 */
export async function launchChromium(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  const executablePath = given ?? places.find((place) => existsSync(place));
  if (executablePath === undefined || !existsSync(executablePath)) {
    const looked = given === undefined ? places.join(", ") : given;
    throw new Error(
      `There is no Chromium at ${looked}. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
    );
  }
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
