import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { createSecret, type Secret } from "../secrets/secret.js";
import { createRenewedToken, type RenewedToken } from "../verify/token-command.js";
import type { ClientCertificate } from "../wire/client-certificate.js";

/** The options by which a server knows its client. */
export interface AccessOptions {
  readonly account?: readonly Secret[];
  readonly header?: readonly Secret[];
  readonly tokenCommand?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Adds those options to a command. `account` is how an account is written, and `about` what it is for. */
export function withAccessOptions(command: Command, account: string): Command {
  const others = (text: string, given: readonly Secret[] = []) => [...given, createSecret(text)];
  return command
    .option("--account <account>", account, others)
    .option(
      "--token-command <command>",
      "print the token of the account, which is run again when it expires or is refused",
    )
    .option(
      "--header <header>",
      "send this header (for Protobuf, metadata), such as 'X-Tenant: acme', with every request; repeatable",
      others,
    )
    .option("--cert <file>", "client certificate in PEM, for servers that ask for one")
    .option("--key <file>", "its private key in PEM")
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) });
}

/** Reads the files of `--cert` and `--key`. Rejects with a `CouldNotRunError`. */
export async function readCertificate({ cert, key }: AccessOptions): Promise<{ certificate?: ClientCertificate }> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new CouldNotRunError("Give both --cert and --key");
  return { certificate: { cert: await read(cert, "CERTIFICATE"), key: await read(key, "PRIVATE KEY") } };
}

/** The token of `--token-command`. */
export async function readToken({ tokenCommand, account }: AccessOptions): Promise<RenewedToken | undefined> {
  if (tokenCommand === undefined) return undefined;
  if (account !== undefined) throw new CouldNotRunError("Give either --account or --token-command");
  return createRenewedToken(tokenCommand);
}

/** The accounts of calls of RPCs: those of the option, or else of the environment unless there are states. `other=` is before somebody else's. */
export function rpcAccounts({ account, states }: AccessOptions & { readonly states?: string | undefined }): {
  readonly account?: Secret;
  readonly other?: Secret;
} {
  const { ACCORD_ACCOUNT: known = "" } = process.env;
  const given = account ?? (known === "" || states !== undefined ? [] : known.split(/\s+/).map(createSecret));
  const isOther = (one: Secret) => one.reveal().startsWith("other=");
  const [own, others] = [given.filter((one) => !isOther(one)), given.filter(isOther)];
  if (own.length > 1 || others.length > 1) throw new CouldNotRunError("Give one --account, and one --account other=…");
  const [other] = others.map((one) => createSecret(one.reveal().slice("other=".length)));
  if ([...own, other].some((one) => one !== undefined && !/^[^\s@]\S*$/.test(one.reveal())))
    throw new CouldNotRunError("An account is not TOKEN or NAME:PASSWORD");
  return { account: own[0], other };
}

async function read(file: string, what: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CouldNotRunError(`${file} cannot be read: ${error.code ?? error.message}`);
  });
  if (!text.includes(`${what}-----`)) throw new CouldNotRunError(`${file} holds no ${what.toLowerCase()} in PEM`);
  return text;
}

/** An error of the command line without the values of options, which may be keys. */
function withoutValues(text: string): string {
  return text.replace(/(--?[\w-]+)=[^']*/g, "$1=…");
}
