import { execFile } from "node:child_process";
import { access, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkOut, git } from "../../src/breaking/check-out.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A released contract in files, which stay until `remove` is called. */
export interface ReleasedContract {
  /** The bundled OpenAPI document. */
  readonly openapi: string;
  /** A folder in which buf finds the released `.proto` files, with today's configuration and third-party definitions. */
  readonly proto: string;
  readonly remove: () => Promise<void>;
}

/**
 * Reads a released contract from a Git revision, the folder of a checkout or an unpacked package, or the archive (`.tgz`) of a package.
 * Throws an error that says what is missing.
 */
export async function readReleasedContract(against: string): Promise<ReleasedContract> {
  const temporary = await mkdtemp(join(tmpdir(), "accord-released-"));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const source = await unpack(against, temporary);
    const openapi = await bundleIn(source);
    const proto = join(temporary, "buf");
    await cp(join(root, "buf.yaml"), join(proto, "buf.yaml"));
    await cp(join(source, "proto"), join(proto, "proto"), { recursive: true });
    await cp(join(root, "proto/third_party"), join(proto, "proto/third_party"), { recursive: true });
    return { openapi, proto, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the bundled OpenAPI document in a checkout or an unpacked package. */
async function bundleIn(folder: string): Promise<string> {
  for (const file of ["generated/chat/openapi.yaml", "dist/generated/chat/openapi.yaml"].map((path) =>
    join(folder, path),
  )) {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw new Error(`${folder} has no generated/chat/openapi.yaml, so it is neither a checkout nor an unpacked package`);
}

/** Returns a folder with the files of a release. */
async function unpack(against: string, temporary: string): Promise<string> {
  const kind = await stat(against).catch(() => undefined);
  if (kind?.isDirectory()) return against;
  if (kind?.isFile()) {
    await promisify(execFile)("tar", ["-xzf", against, "-C", temporary]);
    return join(temporary, "package");
  }
  const source = join(temporary, "revision");
  const isWanted = (path: string) => path === "generated/chat/openapi.yaml" || path.startsWith("proto/");
  await checkOut(root, against, source, isWanted);
  return source;
}

/**
 * Returns the revision of the last release: the newest tag `v*` behind the current commit, or in a clone without tags the last commit of an
 * earlier version in package.json. Undefined in a shallow clone, which has neither.
 */
export async function lastRelease(): Promise<string | undefined> {
  const tag = await git(root, ["describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD"]).catch(() => "");
  if (tag !== "") return tag;
  const bump = await git(root, ["log", "-1", "--format=%H", "-G", '^  "version":', "--", "package.json"]).catch(
    () => "",
  );
  return await git(root, ["rev-parse", "--verify", "--quiet", `${bump}^`]).catch(() => undefined);
}
