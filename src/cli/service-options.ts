import { type Command, InvalidArgumentError, Option } from "commander";
import { UsageError } from "../base/usage-error.js";
import { packageProblem, type RpcNames, serviceProblem } from "../contract/rpc/names.js";
import type { AnyContract } from "./load-contract.js";
import { validText } from "./options.js";

/** The options that name the services of a server of RPCs. */
export interface ServiceNameOptions {
  readonly package?: string;
  readonly service?: Readonly<Record<string, string>>;
}

/** `--package`, for servers whose services are in another package. */
export function packageOption(): Option {
  return new Option("--package <name>", "package of the server's services, if it is another one").argParser(
    validText(packageProblem),
  );
}

/** `--service`, for servers whose services have other names. */
export function serviceOption(): Option {
  return new Option("--service <names>", "NAME=OTHER: another name of a service; repeatable").argParser(renamedService);
}

/** The names of a server's services, from those options. */
export function serviceNames({ package: packageName, service = {} }: ServiceNameOptions): RpcNames {
  return { services: service, package: packageName };
}

/** The options that only contracts in Protobuf, or only those in OpenAPI, do not have. */
const otherOptions: Readonly<Record<AnyContract["kind"], readonly string[]>> = {
  rest: ["--socket", "--protocol", "--log-file", "--package", "--service"],
  rpc: ["--value", "--feature-level", "--strain", "--seed"],
};

/** Throws a `UsageError` if one of the options, by their names in code, is given, because a contract of this kind does not have it. */
export function requireOwnOptions(contract: string, kind: AnyContract["kind"], options: object): void {
  const given = new Set(Object.keys(options).map(optionOf));
  const wrong = otherOptions[kind].find((option) => given.has(option));
  if (wrong === undefined) return;
  const language = kind === "rest" ? "OpenAPI" : "Protobuf";
  throw new UsageError(`${wrong} does not apply to ${contract}, a contract in ${language}: omit it`);
}

/** Keeps the options that a contract of this kind does not have out of the help. */
export function hideOtherOptions(command: Command, kind: AnyContract["kind"]): void {
  for (const option of command.options) if (otherOptions[kind].includes(option.long ?? "")) option.hideHelp();
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function renamedService(text: string, others: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [name = "", other = ""] = text.split("=", 2);
  const problem = serviceProblem(name) ?? serviceProblem(other);
  if (problem !== undefined)
    throw new InvalidArgumentError(`It must be NAME=OTHER, such as Fines=old.v1.Fines. ${problem}`);
  return { ...others, [name]: other };
}
