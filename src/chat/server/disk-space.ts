import { stat, statfs } from "node:fs/promises";

/** Room on a disk that is set aside for what is about to be written. */
export interface DiskReservation {
  /** Sets more bytes aside; false when the disk has no room for them. */
  readonly add: (bytes: number) => Promise<boolean>;
  /** Counts bytes that are on the disk now, so that they are not set aside any more. */
  readonly wrote: (bytes: number) => void;
  /** Gives back what was not written. */
  readonly release: () => void;
}

/** Uploads leave this much for everything else that a server writes, such as the log of its database. */
const minFreeBytes = 4 * 1024 * 1024;

/** Bytes that are set aside and not written yet, by device: all servers of a process share its disks. */
const reserved = new Map<number, number>();

/** Starts a reservation on the disk of a folder, with nothing set aside yet. */
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
      // A file system that tells nothing has no blocks.
      const free = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
      if (free - (reserved.get(device) ?? 0) - minFreeBytes < bytes) return false;
      change(bytes);
      return true;
    },
    wrote: (bytes) => change(-Math.min(bytes, own)),
    release: () => change(-own),
  };
}

/** Whether the disk of a folder has room for any upload. */
export function hasRoom(folder: string): Promise<boolean> {
  return createDiskReservation(folder).add(0);
}

/** There is no room on the disk for something that was about to be written. */
export class DiskFullError extends Error {
  override readonly name = "DiskFullError";
  readonly code = "ENOSPC";
}

/** Whether an error says that a disk, or the share of it that a user has, is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}
