/** The package that an import failed to find, from the error. Undefined for other errors, such as a missing file of this package. */
export function missingPackage(error: unknown): string | undefined {
  const { code = "", message = "" } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return undefined;
  return /^Cannot find (?:package|module) '((?:@[^/'@]+\/)?[^./'@][^/']*)'/.exec(message)?.[1];
}
