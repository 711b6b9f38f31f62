/** Ends a command with an exit code when everything is said. */
export class ExitCodeError extends Error {
  override readonly name = "ExitCodeError";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
