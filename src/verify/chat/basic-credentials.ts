/** The value of `Authorization` for HTTP Basic credentials (RFC 7617), in UTF-8. */
export function basicCredentials(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
}
