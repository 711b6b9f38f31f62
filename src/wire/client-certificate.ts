import { AsyncLocalStorage } from "node:async_hooks";

/** A certificate that a client shows to servers that ask for one, and its private key, in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

const current = new AsyncLocalStorage<{ readonly origin: string; readonly certificate: ClientCertificate }>();

/** Runs something whose requests to an origin show a certificate. */
export function withCertificate<Result>(
  certificate: ClientCertificate | undefined,
  origin: string,
  run: () => Result,
): Result {
  return certificate === undefined ? run() : current.run({ origin, certificate }, run);
}

/** The certificate for requests to an origin. */
export function certificateFor(origin: string): ClientCertificate | undefined {
  const set = current.getStore();
  return set?.origin === origin ? set.certificate : undefined;
}
