import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** How long a start, and an action on a page, may take on a busy machine. */
const maxWaitMs = 300_000;

/** Commands of Chromium packages, starting with that of Debian. */
const commands = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Starts a headless Chromium: that of the environment variable `CHROMIUM_PATH`, or else an installed one. Rejects if none is found. The
 * caller must close it.
 */
export async function launchChromium(): Promise<Browser> {
  const given = process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  const executablePath = given ?? places.find((place) => existsSync(place));
  if (executablePath === undefined || !existsSync(executablePath)) {
    const looked = given === undefined ? commands.join(", ") : given;
    throw new Error(
      `There is no Chromium at ${looked}. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.`,
    );
  }
  const browser = await chromium.launch({
    executablePath,
    timeout: maxWaitMs,
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
  return browser.on("context", (context) => context.setDefaultTimeout(maxWaitMs));
}
