import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small disk, which is unmounted at the end of the scope. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  readonly inside: (name: string) => string;
  /** Fills the disk. */
  readonly fill: () => void;
  /** Frees the filled space. */
  readonly free: () => void;
}

/** Mounts a disk in memory: `using disk = smallDisk(16)`. Requires Linux and root; throws otherwise. */
export function smallDisk(mebibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), "accord-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw new Error("This test mounts a tmpfs, which takes Linux and the rights of root; run it there", {
      cause: error,
    });
  }
  const filler = join(path, "filler");
  return {
    path,
    inside: (name) => join(path, name),
    fill: () => {
      const file = openSync(filler, "w");
      const page = Buffer.alloc(4096, 1);
      try {
        for (;;) writeSync(file, page);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      // A process that has just been killed may still have open files.
      execFileSync("umount", ["-l", path]);
      rmSync(path, { recursive: true });
    },
  };
}
