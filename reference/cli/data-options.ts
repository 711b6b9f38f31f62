import { InvalidArgumentError, Option } from "commander";

/** Creates the option `--database`, which excludes `--data`. */
export function databaseOption(description: string): Option {
  return new Option("--database <url>", description)
    .env("ACCORD_DATABASE_URL")
    .conflicts("data")
    .argParser(databaseUrl);
}

function databaseUrl(text: string): string {
  // The text is not in the message, because it may contain a password.
  if (!/^postgres(?:ql)?:\/\//.test(text)) throw new InvalidArgumentError("It must begin with postgres://.");
  return text;
}

/** Parses a path option. */
export function parsePath(what: string): (text: string) => string {
  return (text) => {
    if (text === "") throw new InvalidArgumentError(`It must be the path of ${what}.`);
    return text;
  };
}
