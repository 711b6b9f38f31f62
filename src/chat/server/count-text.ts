/** How often a text occurs in bytes. */
export function countText(bytes: Buffer, text: string): number {
  let count = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length)) count++;
  return count;
}

/** Counts a text in bytes that come piece by piece: makes a function that tells how often it has occurred so far. */
export function createTextCounter(text: string): (bytes: Buffer) => number {
  let count = 0;
  let tail = Buffer.alloc(0);
  return (bytes) => {
    const searched = Buffer.concat([tail, bytes]);
    count += countText(searched, text);
    // Too short for the whole text, so that nothing is counted twice.
    tail = Buffer.from(searched.subarray(Math.max(0, searched.length - Buffer.byteLength(text) + 1)));
    return count;
  };
}
