const longest = 100;

/**
 * The name of a file as the last segment of its path: letters and digits of ASCII, dots, dashes and underscores; accents fall away,
 * and what else there is becomes dashes. Names that are too long keep their end, where the extension is.
 */
export function sanitizeName(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/-*\.[.-]*/g, ".")
    .replace(/-{2,}/g, "-")
    .slice(-longest)
    .replace(/^[.-]+/, "")
    .replace(/[.-]+$/, "");
  return plain === "" ? "file" : plain;
}
