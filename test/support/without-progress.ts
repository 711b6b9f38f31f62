/** Removes the lines that `accord verify` writes every five seconds, which only a slow machine sees. */
export function withoutProgress(stderr: string): string {
  return stderr.replaceAll(/^verify (?:chat|daemon): \d.*\n/gm, "");
}
