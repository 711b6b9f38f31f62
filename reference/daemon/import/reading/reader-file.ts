/** The script of a reader thread: in a checkout, one that loads the TypeScript loader first. */
export const readerFile = new URL(
  import.meta.url.endsWith(".ts") ? "reader-from-source.mjs" : "reader.js",
  import.meta.url,
);
