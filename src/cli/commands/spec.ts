import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Command, Option } from "commander";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { ProjectContract, RestProjectContract, RpcProjectContract } from "../../contract/project/project.js";
import type { ContractFormat } from "../../contract/rest/contract-file.js";
import { prettyJson } from "../../text/visible-text.js";
import { importOptional } from "../import-optional.js";
import { integerBetween } from "../options.js";
import { projectContracts, projectOption } from "../project-contracts.js";

const chatFormats = ["yaml", "json"] as const satisfies readonly ContractFormat[];
const profiles = ["generators", "dredd", "prism", "arazzo"] as const;
const formats = ["yaml", "json", "binpb"] as const;
const daemonFormats = ["proto", "json", "binpb"] as const;

interface SpecOptions {
  readonly format?: (typeof formats)[number];
  readonly workflows?: true;
  readonly project?: string;
}

interface ChatOptions {
  readonly featureLevel?: number;
  readonly profile?: (typeof profiles)[number];
  readonly format: ContractFormat;
  /** Only for the profile `arazzo`, which needs it. */
  readonly output?: string;
}

/** `accord spec`: print a contract. The chat contract can be printed at a feature level, or for other tools. */
export function specCommand(): Command {
  const command = new Command("spec")
    .description("Print a contract.")
    .enablePositionalOptions()
    .argument("<name>", "chat, daemon or a contract of accord.yaml: OpenAPI 3.1 in one document, or a descriptor set")
    .addOption(
      new Option(
        "--format <format>",
        "yaml or json for OpenAPI, json or binpb for Protobuf (default: yaml or json)",
      ).choices(formats),
    )
    .option("--workflows", "print the workflows that follow from the document, with the reason for each")
    .addOption(projectOption())
    .action(async (name: string, { format, workflows, project }: SpecOptions) => {
      for (const contract of await projectContracts(name, project)) {
        if (workflows) {
          process.stdout.write(await workflowsText(contract));
          continue;
        }
        const misfit = contract.kind === "rest" ? "binpb" : "yaml";
        if (format === misfit) command.error(`error: ${name} cannot be printed as ${format}`);
        process.stdout.write(await (contract.kind === "rest" ? restText(contract, format) : rpcText(contract, format)));
      }
    });
  command
    .command("chat")
    .description("Print the chat contract as OpenAPI 3.1.")
    .option(
      "--feature-level <level>",
      "print the contract of this feature level (default: the newest)",
      integerBetween(0, newestLevel),
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "generators: OpenAPI 3.0 for client generators; dredd: OpenAPI 3.0 with one path per case, for Dredd; prism: for the Prism CLI; arazzo: the workflows, into --output",
      ).choices(profiles),
    )
    .addOption(
      new Option(
        "--output <folder>",
        "for the profile arazzo: the folder for the workflows and what they refer to",
      ).conflicts("format"),
    )
    .addOption(new Option("--format <format>", "format of the output").choices(chatFormats).default("yaml"))
    .action(async (options: ChatOptions, command: Command) => {
      const { profile, output } = options;
      if ((profile === "arazzo") !== (output !== undefined))
        command.error("error: --profile arazzo and --output need each other");
      if (output === undefined) process.stdout.write(await chatContract(options));
      else await writeArazzo(options.featureLevel ?? newestLevel, output);
    });
  command
    .command("daemon")
    .description("Print the daemon contract as Protobuf.")
    .addOption(
      new Option(
        "--format <format>",
        "proto: one .proto file with comments; json, binpb: the descriptor set, with imports and without comments",
      )
        .choices(daemonFormats)
        .default("proto"),
    )
    .action(async ({ format }: { format: (typeof daemonFormats)[number] }) => {
      process.stdout.write(await daemonContract(format));
    });
  return command;
}

async function chatContract({ featureLevel, profile, format }: Omit<ChatOptions, "output">): Promise<string> {
  const [{ formatContract }, { loadContract }, { atFeatureLevel }, { tidyContract }] = await Promise.all([
    import("../../contract/rest/contract-file.js"),
    import("../../chat/contract.js"),
    import("../../contract/rest/level/at-feature-level.js"),
    import("../../contract/rest/level/tidy-contract.js"),
  ]);
  const newest = await loadContract();
  const contract = featureLevel === undefined ? newest : tidyContract(atFeatureLevel(newest, featureLevel));
  if (profile === undefined || profile === "arazzo") return formatContract(contract, format);
  switch (profile) {
    case "generators": {
      const { generatorsProfile } = await import("../../contract/rest/profiles/generators-profile.js");
      return formatContract(generatorsProfile(contract), format);
    }
    case "prism": {
      const { prismProfile } = await import("../../contract/rest/profiles/prism-profile.js");
      return formatContract(prismProfile(contract), format);
    }
    case "dredd": {
      const [{ dreddProfile }, { casesAtLevel }] = await Promise.all([
        import("../../contract/rest/profiles/dredd-profile.js"),
        import("../../contract/rest/level/cases-at-level.js"),
      ]);
      const level = featureLevel ?? newestLevel;
      return formatContract(dreddProfile(atFeatureLevel(newest, level), casesAtLevel(newest, level), level), format);
    }
  }
}

/** Writes the workflows of a level into `behaviour`, beside the contract and the provider states to which they refer. */
export async function writeArazzo(level: number, folder: string): Promise<void> {
  const [{ loadContract, loadWorkflows }, { arazzoProfile }, states] = await Promise.all([
    import("../../chat/contract.js"),
    import("../../contract/rest/profiles/arazzo/arazzo-profile.js"),
    readFile(new URL("../../../generated/chat/states.yaml", import.meta.url), "utf8"),
  ]);
  const documents = arazzoProfile("chat", await loadContract(), await loadWorkflows(), level);
  const files: [string, string][] = [
    ["openapi.yaml", await chatContract({ featureLevel: level, format: "yaml" })],
    ["states.yaml", states],
    ...[...documents].map(([path, text]): [string, string] => [`behaviour/${path}`, text]),
  ];
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function workflowsText(contract: ProjectContract): Promise<string> {
  const { workflowFiles, workflowFolder } = await importOptional(
    "accord spec --workflows",
    () => import("../../behaviour/workflow-files.js"),
  );
  const files = await workflowFiles(contract);
  if (files.size === 0) return "# No workflow follows from the document\n";
  return [...files].map(([name, text]) => `# ${basename(workflowFolder(contract))}/${name}\n${text}`).join("\n");
}

async function restText(contract: RestProjectContract, format: string = "yaml"): Promise<string> {
  const [{ loadRestDocument }, { formatContract }] = await importOptional("accord spec", () =>
    Promise.all([
      import("../../contract/project/load-rest-document.js"),
      import("../../contract/rest/contract-file.js"),
    ]),
  );
  return formatContract(await loadRestDocument(contract), format === "json" ? "json" : "yaml");
}

async function rpcText(contract: RpcProjectContract, format: string = "json"): Promise<string | Uint8Array> {
  const [{ rpcContract }, { descriptorSetBytes, descriptorSetJson }] = await Promise.all([
    import("../rpc-contract.js"),
    import("../../contract/rpc/descriptor-set.js"),
  ]);
  const loaded = await rpcContract(contract);
  return format === "binpb" ? descriptorSetBytes(loaded) : `${prettyJson(descriptorSetJson(loaded))}\n`;
}

async function daemonContract(format: (typeof daemonFormats)[number]): Promise<string | Uint8Array> {
  const [{ descriptorSetBytes, descriptorSetJson }, { loadDaemonContract }, { protoText }] = await Promise.all([
    import("../../contract/rpc/descriptor-set.js"),
    import("../../daemon/daemon-contract.js"),
    import("../../daemon/proto-text.js"),
  ]);
  switch (format) {
    case "proto":
      return protoText();
    case "json":
      return `${prettyJson(descriptorSetJson(await loadDaemonContract()))}\n`;
    case "binpb":
      return descriptorSetBytes(await loadDaemonContract());
  }
}
