/** What an error says, with its cause: `fetch` says only there why it failed. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const why = describeFailure(cause);
  return why === "" ? error.message : `${error.message}: ${why}`;
}
