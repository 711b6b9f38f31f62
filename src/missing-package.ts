/**
 * The name of the package that could not be found, of the error of an import. Undefined for any other error, also for a missing file of
 * this package itself.
 */
export function missingPackage(error: unknown): string | undefined {
  const { code = "", message = "" } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return undefined;
  return /^Cannot find (?:package|module) '((?:@[^/'@]+\/)?[^./'@][^/']*)'/.exec(message)?.[1];
}
