/** Reads the number of a port. Undefined when it is not between 1 and 65535. */
export function readPort(text: string): number | undefined {
  if (!digits.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

const digits = /^\d{1,5}$/;
