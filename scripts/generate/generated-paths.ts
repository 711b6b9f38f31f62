/** The paths that `npm run generate` writes, below the root of the project. */
export const generatedPaths = [
  "generated/chat",
  "generated/daemon",
  "generated/grpc",
  "generated/guides",
  "generated/verify",
  "docs/derived.md",
  "docs/limits.md",
  "docs/openapi.md",
] as const;
