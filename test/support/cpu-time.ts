/**
 * The processor time of some work in milliseconds: the least of three runs, after one that lets the code be compiled. Unlike the time that
 * passes, it hardly depends on what else the machine does. It is coarse, so compare it only with that of work that should take as long, at
 * least some 10 ms, and generously.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  await work();
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * How many times as long as 16 short texts it takes to read one long text of the same total length: about 1 if the time is proportional to
 * the length, 16 if it is quadratic.
 */
export async function timeGrowth(part: string, read: (text: string) => unknown): Promise<number> {
  const short = part.repeat(2_000);
  const inShort = await cpuTime(async () => {
    for (let count = 0; count < 16; count++) await read(short);
  });
  const long = part.repeat(32_000);
  return (await cpuTime(() => read(long))) / inShort;
}
