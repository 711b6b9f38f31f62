import { fileURLToPath } from "node:url";
import { defineConfigWithTheme } from "vitepress";
import { pageScript } from "../../generated/verify/page-script.js";
import { pagePolicy } from "../../src/report/html/page-policy.js";
import { pageStyle } from "../../src/report/html/page-style.js";
import { searchSections } from "../html/search-sections.js";
import { slugify } from "../html/slugify.js";
import { withoutEmptyHeaders } from "../html/table-headers.js";
import { readNavigation } from "../pages/navigation.js";
import { pagesFolder, siteFolder } from "../site-folders.js";
import type { SiteThemeConfig } from "../theme-config.js";
import { sidebar } from "./sidebar.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const navigation = readNavigation(pagesFolder);

export default defineConfigWithTheme<SiteThemeConfig>({
  title: "Accord",
  description: "The executable contracts of a team-chat REST API and of a proxy daemon's gRPC interface",
  lang: "en-GB",
  base: process.env.ACCORD_DOCS_BASE ?? "/",
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: `${root}/node_modules/.cache/vitepress`,
  head: [
    ["link", { rel: "icon", href: "data:," }],
    // Without a script, these do nothing.
    ["noscript", {}, "<style>.VPNavBarSearch, .level-bar { display: none }</style>"],
  ],
  // Every page would prefetch the longest ones.
  router: { prefetchLinks: false },
  // Pages link to files of the site by their names, so that any static server serves it.
  cleanUrls: false,
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: withoutEmptyHeaders,
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/guides/" },
      { text: "Chat API", link: "/chat/" },
      { text: "Daemon RPCs", link: "/daemon/" },
      { text: "Workflows", link: "/workflows/" },
    ],
    sidebar: sidebar(navigation),
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        detailedView: false,
        miniSearch: {
          searchOptions: { combineWith: "AND", boost: { title: 8 } },
          _splitIntoSections: (_, page) => searchSections(page),
        },
      },
    },
    externalLinkIcon: true,
    levels: navigation.levels,
    levelledPages: navigation.levelledPages,
  },
  vite: {
    plugins: [
      {
        name: "report-policy",
        enforce: "pre",
        // The policy of the HTML report has hashes, which browsers cannot compute at once.
        load: (id) =>
          id.endsWith("/html/page-policy.ts")
            ? `export const pagePolicy = () => ${JSON.stringify(pagePolicy(pageStyle, pageScript))};`
            : undefined,
      },
    ],
    server: { fs: { allow: [root] } },
    resolve: {
      // Node loads Ajv with `require`, because it is optional there.
      alias: [
        { find: /^\.\/load-ajv\.js$/, replacement: `${root}site/components/console/load-ajv.ts` },
        { find: /^(?:node:util|\.\/digest\.js)$/, replacement: `${root}site/components/console/node-parts.ts` },
      ],
    },
  },
});
