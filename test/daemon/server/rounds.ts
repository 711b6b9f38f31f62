/** Counts rounds of the event loop until stopped. */
export function countRounds(): { readonly soFar: () => number; readonly stop: () => number } {
  let rounds = 0;
  let stopped = false;
  const count = () => {
    rounds++;
    if (!stopped) setImmediate(count);
  };
  setImmediate(count);
  return {
    soFar: () => rounds,
    stop: () => {
      stopped = true;
      return rounds;
    },
  };
}
