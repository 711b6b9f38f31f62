/** The paths that `npm run generate` writes, below the root of the project. */
export const generatedPaths = [
  "generated/chat",
  "generated/daemon",
  "generated/grpc",
  "generated/verify",
  "docs/client-rules.md",
  "docs/feature-levels.md",
  "docs/derived.md",
  "docs/limits.md",
  "docs/openapi.md",
  "docs/open-questions.md",
] as const;
