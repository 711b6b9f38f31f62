import { buildSite, isUpToDate } from "../../site/build-site.js";

/** Builds the site once for all tests of this folder, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  if (!isUpToDate()) await buildSite();
}
