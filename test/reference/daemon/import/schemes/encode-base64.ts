/** The variants of base64 that programs write. */
export const base64Spellings = ["standard", "standard without padding", "URL-safe", "URL-safe with padding"] as const;
export type Base64Spelling = (typeof base64Spellings)[number];

export function encodeBase64(text: string, spelling: Base64Spelling): string {
  const standard = Buffer.from(text).toString("base64");
  switch (spelling) {
    case "standard":
      return standard;
    case "standard without padding":
      return standard.replaceAll("=", "");
    case "URL-safe":
      return Buffer.from(text).toString("base64url");
    case "URL-safe with padding":
      return standard.replaceAll("+", "-").replaceAll("/", "_");
  }
}
