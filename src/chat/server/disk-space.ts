import { stat, statfs } from "node:fs/promises";

/** Disk space that is reserved for later writes. */
export interface DiskReservation {
  /** Reserves more bytes; false if the disk has no space for them. */
  readonly add: (bytes: number) => Promise<boolean>;
  /** Reports written bytes, which no longer need a reservation. */
  readonly wrote: (bytes: number) => void;
  /** Releases the rest of the reservation. */
  readonly release: () => void;
}

/** Uploads leave this much space for other writes of a server, such as its database log. */
const minFreeBytes = 4 * 1024 * 1024;

/** Reserved bytes by device. All servers of a process share them. */
const reserved = new Map<number, number>();

/** Creates an empty reservation on the disk of a folder. */
export function createDiskReservation(folder: string): DiskReservation {
  let device = 0;
  let own = 0;

  function change(bytes: number): void {
    own += bytes;
    const all = (reserved.get(device) ?? 0) + bytes;
    if (all === 0) reserved.delete(device);
    else reserved.set(device, all);
  }

  return {
    add: async (bytes) => {
      const [{ dev }, { bavail, bsize, blocks }] = await Promise.all([stat(folder), statfs(folder)]);
      device = dev;
      // Some file systems report no sizes at all.
      const free = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
      if (free - (reserved.get(device) ?? 0) - minFreeBytes < bytes) return false;
      change(bytes);
      return true;
    },
    wrote: (bytes) => change(-Math.min(bytes, own)),
    release: () => change(-own),
  };
}

/** Whether the disk of a folder has space for any upload. */
export function hasRoom(folder: string): Promise<boolean> {
  return createDiskReservation(folder).add(0);
}

/** The disk has no space for a pending write. */
export class DiskFullError extends Error {
  override readonly name = "DiskFullError";
  readonly code = "ENOSPC";
}

/** Whether an error means that a disk or a disk quota is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}
