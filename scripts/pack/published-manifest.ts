/** The fields of `package.json` that packing reads or changes. */
export interface Manifest {
  readonly version: string;
  readonly [field: string]: unknown;
}

/** Fields that concern only a checkout. */
const ownFields = new Set(["private", "scripts", "devDependencies", "overrides"]);

/** Returns the manifest of the published package. It links to `repository` only if one is given. */
export function publishedManifest(manifest: Manifest, repository?: string): Manifest {
  const fields = Object.entries(manifest).filter(([name]) => !ownFields.has(name));
  const places = {
    repository: { type: "git", url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: `${repository}/issues`,
  };
  return { ...(Object.fromEntries(fields) as Manifest), ...(repository === undefined ? {} : places) };
}

/** Returns the URL of a repository without a trailing slash or `.git`. Throws if it is not an https URL. */
export function parseRepository(text: string): string {
  const url = text.replace(/^git\+/, "").replace(/(\.git)?\/*$/, "");
  if (!/^https:\/\/[^\s/@]+\/\S+$/.test(url)) {
    throw new Error(`${text} is not the https URL of a repository, such as https://github.com/acme/accord`);
  }
  return url;
}
