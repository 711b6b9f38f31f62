import { isUpToDate } from "../../site/is-up-to-date.js";

/** Builds the site once for all tests of this folder, unless it is newer than its sources. */
export async function setup(): Promise<void> {
  if (isUpToDate()) return;
  // Loading VitePress takes longer than the comparison.
  const { buildSite } = await import("../../site/build-site.js");
  await buildSite();
}
