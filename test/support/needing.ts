import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { missingPrograms } from "../../scripts/test/missing-programs.js";

const install = readFileSync(new URL("../../.ci/install", import.meta.url), "utf8");
const known = new Set([...install.matchAll(/^need ([^ :]+)/gm)].map(([, name]) => name));

/**
 * Returns `describe` and `it` for tests that need programs, given by their names in `.ci/install`. If this machine lacks one of them, the
 * tests are skipped and their names say so. In CI, which must lack nothing, this throws.
 */
export function needing(...programs: readonly string[]): {
  readonly describe: typeof describe;
  readonly it: typeof it;
} {
  const unknown = programs.find((program) => !known.has(program));
  if (unknown !== undefined) throw new Error(`.ci/install has no line for ${unknown}: add one`);
  const missing = programs.filter((program) => missingPrograms().includes(program));
  if (missing.length === 0) return { describe, it };
  const note = `(missing: ${missing.join(", ")})`;
  if (/^(?:true|1)$/.test(process.env.CI ?? "")) {
    throw new Error(`A program is not installed ${note}. Run .ci/install, which installs what the tests need.`);
  }
  return { describe: noted(describe.skip as typeof describe, note), it: noted(it.skip as typeof it, note) };
}

/** Adds a note to the names that are given to a function and to those that it returns or holds, such as `each`. */
function noted<Method extends object>(method: Method, note: string, owner?: unknown): Method {
  const inner = <Value>(value: Value, from?: unknown) =>
    typeof value === "function" ? noted(value, note, from) : value;
  return new Proxy(method, {
    get: (target, key) => inner(Reflect.get(target, key) as unknown, target),
    apply: (target, _self, [first, ...rest]) => {
      const name = typeof first === "string" ? `${first} ${note}` : first;
      return inner(Reflect.apply(target as (...args: unknown[]) => unknown, owner, [name, ...rest]));
    },
  });
}
