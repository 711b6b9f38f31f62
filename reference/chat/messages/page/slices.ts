/** What is read from the database at once, in bytes. */
const sliceBytes = 4 * 1024 * 1024;

/**
 * Divides ids into slices by the size of what is to be read for each, in bytes, so that no slice is large unless a single id makes
 * it so. All rows of a query come as one text, and one that is too long for the driver would end the process.
 */
export function* slices(sizes: Iterable<readonly [id: number, bytes: number]>): Generator<number[]> {
  let ids: number[] = [];
  let sum = 0;
  for (const [id, bytes] of sizes) {
    if (ids.length > 0 && sum + bytes > sliceBytes) {
      yield ids;
      ids = [];
      sum = 0;
    }
    ids.push(id);
    sum += bytes;
  }
  if (ids.length > 0) yield ids;
}
