/** A time by which something has to be done. */
export interface Deadline {
  /** Sets it to so many milliseconds from now, instead of what was set before. */
  readonly set: (milliseconds: number, passed: () => void) => void;
  readonly clear: () => void;
}

/** Makes a deadline that is not set yet. It does not keep the process alive. */
export function createDeadline(): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => clearTimeout(timer);
  return {
    clear,
    set: (milliseconds, passed) => {
      clear();
      timer = setTimeout(passed, milliseconds).unref();
    },
  };
}
