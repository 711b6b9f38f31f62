import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The Markdown of all pages, written by `npm run docs`. Not committed. */
export const pagesFolder = `${root}.tmp/site`;

/** The built site. Not committed. */
export const siteFolder = `${root}dist-site`;
