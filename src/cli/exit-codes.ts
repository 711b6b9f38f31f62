/** The meaning of the exit codes of `accord`. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

/** Ends a command with an exit code after it has printed everything. */
export class ExitCodeError extends Error {
  override readonly name = "ExitCodeError";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
