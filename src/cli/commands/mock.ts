import { Command } from "commander";
import { UsageError } from "../../base/usage-error.js";
import type { ProjectContract } from "../../contract/project/project.js";
import { notJudged } from "../../contract/rest/document.js";
import { hostOption, requirePort, warnBeyondLoopback } from "../host-option.js";
import { importOptional } from "../import-optional.js";
import { integerBetween } from "../options.js";
import { printLine } from "../print.js";
import { projectContracts, projectOption } from "../project-contracts.js";
import { untilStopped } from "../stop-signals.js";
import { warnNotJudged } from "../warn-not-judged.js";

const restPort = 4010;
const rpcPort = 4020;
const risk = "It does not check whose credentials it gets, and returns only the examples of the contract.";

interface MockOptions {
  readonly port?: number;
  readonly host: string;
  readonly socket?: string;
  readonly project?: string;
}

/** A running mock, and the addresses that clients call. */
interface Mock {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly close: () => Promise<void>;
}

/** `accord mock [name]`: serve a contract, or both that Accord ships. The command loads its modules only when it runs. */
export function mockCommand(): Command {
  return new Command("mock")
    .description("Serve the examples of a contract, without state.")
    .argument("[name]", "chat, daemon or a contract of accord.yaml (default: chat and daemon)")
    .option("--port <port>", "TCP port; 0 for any free port", integerBetween(0, 65535))
    .addOption(hostOption())
    .option("--socket <path>", "for Protobuf: Unix socket to listen on, with or without a TCP port")
    .addOption(projectOption())
    .addHelpText(
      "after",
      `
The default port is ${restPort} for OpenAPI and ${rpcPort} for Protobuf, on gRPC, gRPC-Web and Connect. A request that equals a case of the contract
gets the response of that case; any other valid request gets the first successful example, or with OpenAPI a body that fits the schema.
The header Prefer: example=<case> or code=<status> selects another documented response; for RPCs, the metadata prefer: case=<name>.

Examples:
  accord mock shop
  curl -u name:password http://127.0.0.1:${restPort}/v1/orders/7
  curl --json '{"id": 7}' http://127.0.0.1:${rpcPort}/shop.v1.Orders/GetOrder`,
    )
    .action(async (name: string | undefined, options: MockOptions) => {
      const names = name === undefined ? ["chat", "daemon"] : [name];
      const contracts = await Promise.all(names.map((one) => projectContracts(one, options.project)));
      const mocks: Mock[] = [];
      try {
        for (const contract of contracts.flat()) mocks.push(await startMock(contract, options));
      } catch (error) {
        await Promise.all(mocks.map(({ close }) => close()));
        throw error;
      }
      const lines = mocks.flatMap((mock) =>
        mock.addresses.map((address) => `${`${mock.name} mock`.padEnd(12)} ${address}`),
      );
      await untilStopped(mocks, () => lines.forEach(printLine));
    });
}

async function startMock(contract: ProjectContract, { port, host, socket }: MockOptions): Promise<Mock> {
  const { name } = contract;
  if (contract.kind === "rest") {
    if (socket !== undefined) throw new UsageError(`--socket is for Protobuf, but ${name} is in OpenAPI`);
    const { createRestMock, basePath, loadRestDocument } = await importOptional("The mock", loadRestModules);
    warnBeyondLoopback(host, risk);
    const document = await loadRestDocument(contract);
    warnNotJudged(document[notJudged]);
    const { url, close } = await createRestMock(document, {
      ...{ port: port ?? restPort, host },
      onRefused: printLine,
    });
    return { name, addresses: [`${url}${basePath(document)}`], close };
  }
  const tcpPort = port ?? (socket === undefined ? rpcPort : undefined);
  requirePort(host, tcpPort);
  const [{ createRpcMock }, { rpcContract }] = await Promise.all([
    import("../../mock/rpc/create-rpc-mock.js"),
    import("../rpc-contract.js"),
  ]);
  warnBeyondLoopback(host, risk);
  const address = { socket, port: tcpPort };
  return { name, ...(await createRpcMock(await rpcContract(contract), { ...address, host })) };
}

/** The modules need optional packages. */
async function loadRestModules() {
  const [{ createRestMock }, { basePath }, { loadRestDocument }] = await Promise.all([
    import("../../mock/rest/create-rest-mock.js"),
    import("../../contract/rest/base-path.js"),
    import("../../contract/project/load-rest-document.js"),
  ]);
  return { createRestMock, basePath, loadRestDocument };
}
