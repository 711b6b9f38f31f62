import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { writePages } from "./pages/write-pages.js";
import { pagesFolder } from "./site-folders.js";

/** Builds the documentation site into `siteFolder`. */
export async function buildSite(): Promise<void> {
  await writePages(pagesFolder);
  await build(fileURLToPath(new URL(".", import.meta.url)));
}
