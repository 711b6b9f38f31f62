import { posix } from "node:path";

/** The possible targets of links in the published package. */
export interface LinkTargets {
  /** The paths of all files in the package. */
  readonly files: readonly string[];
  readonly version: string;
  /** The URL of the repository, if there is one. */
  readonly repository?: string | undefined;
}

/**
 * Makes the links of a Markdown file work in the published package. `path` is that of the file.
 *
 * A link to a file outside the package becomes one to the repository, or plain text if there is none. In the README of the package, which
 * registries show without the files, all links point to the repository if there is one.
 */
export function publishedLinks(text: string, path: string, { files, version, repository }: LinkTargets): string {
  return text.replace(
    /\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (link, label, to, fragment = "") => {
      const target = posix.join(posix.dirname(path), to);
      const isPacked = files.some((file) => file === target || file.startsWith(`${target.replace(/\/$/, "")}/`));
      if (isPacked && (path !== "README.md" || repository === undefined)) return link;
      return repository === undefined ? label : `[${label}](${repository}/blob/v${version}/${target}${fragment})`;
    },
  );
}
