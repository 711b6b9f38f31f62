import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** The relevant fields of a package in the lock file. */
interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, "../..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** The path in the lock file to which a package resolves a name. */
function resolvePath(name: string, from: string): string | undefined {
  const path = [from, "node_modules", name].filter((part) => part !== "").join("/");
  if (path in packages) return path;
  return from === "" ? undefined : resolvePath(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

/** The names of the packages that a package requires, without optional peers. */
function installedFor(path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {};
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** All packages installed for these dependencies, as paths in the lock file. */
function installedWith(names: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const path = resolvePath(name, from);
    if (path === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || "the package"} needs`);
    if (found.has(path)) return;
    found.add(path);
    for (const needed of installedFor(path)) visit(needed, path);
  };
  for (const name of names) visit(name, "");
  return [...found];
}

function withInstallScript(paths: readonly string[]): string[] {
  return paths.filter((path) => packages[path]?.hasInstallScript === true);
}

describe("an installation", () => {
  const { dependencies = {}, optionalDependencies = {} } = packages[""] ?? {};

  it("runs no script of a dependency", () => {
    const needed = Object.keys(dependencies).filter((name) => !(name in optionalDependencies));
    expect(withInstallScript(installedWith(needed))).toEqual([]);
  });

  it("runs no script of an optional dependency, on any platform", () => {
    const paths = installedWith(Object.keys(optionalDependencies));
    expect(withInstallScript(paths)).toEqual([]);
    const drivers = Object.keys(packages).filter((path) => path.startsWith("node_modules/@libsql/"));
    expect(drivers.length).toBeGreaterThan(0);
    expect(paths).toEqual(expect.arrayContaining(drivers));
  });

  it("is checked against a lock file that lists install scripts", () => {
    expect(withInstallScript(Object.keys(packages))).toContain("node_modules/esbuild");
    expect(withInstallScript(installedWith(["esbuild"]))).toEqual(["node_modules/esbuild"]);
  });
});
