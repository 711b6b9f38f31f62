import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { readNavigation } from "../pages/navigation.js";
import { pagesFolder, siteFolder } from "../site-folders.js";
import { sidebar } from "./sidebar.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const navigation = readNavigation(pagesFolder);

export default defineConfig({
  title: "Accord",
  description: "The executable contracts of a team-chat REST API and of a proxy daemon's gRPC interface",
  lang: "en-GB",
  base: process.env.ACCORD_DOCS_BASE ?? "/",
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: `${root}/node_modules/.cache/vitepress`,
  // Pages link to files of the site by their names, so that any static server serves it.
  cleanUrls: false,
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/index" },
      { text: "Chat API", link: "/chat/index" },
    ],
    sidebar: sidebar(navigation),
    outline: { level: [2, 3] },
    externalLinkIcon: true,
  },
  vite: {
    define: { __LEVELS__: JSON.stringify(navigation.levels) },
    server: { fs: { allow: [root] } },
    resolve: {
      // Node loads Ajv with `require`, because it is optional there.
      alias: [{ find: /^\.\/load-ajv\.js$/, replacement: `${root}site/components/console/load-ajv.ts` }],
    },
  },
});
