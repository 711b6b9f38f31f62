import { createRegistry, type DescFile, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { file_proxydaemon_v1_network } from "../../../generated/daemon/contract.js";
import { ServerReflection, type ServerReflectionRequest } from "../../../generated/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../generated/grpc/reflection/v1alpha/reflection_pb.js";

/**
 * Adds server reflection, which tools such as `buf curl` and grpcurl use to discover the services of the router. Older tools only
 * support v1alpha, which differs from v1 only in its package name.
 */
export function addReflection(router: ConnectRouter, closing: AbortSignal): void {
  const respond = createRespond(router);
  async function* respondToAll<Request extends { host: string; messageRequest: ReflectionQuery }>(
    requests: AsyncIterable<Request>,
  ) {
    for await (const request of requests)
      yield { validHost: request.host, originalRequest: request, messageResponse: respond(request.messageRequest) };
  }
  const options = { shutdownSignal: closing };
  router.service(ServerReflection, { serverReflectionInfo: (requests) => respondToAll(requests) }, options);
  router.service(ServerReflectionV1Alpha, { serverReflectionInfo: (requests) => respondToAll(requests) }, options);
}

/** A request, without the parts that differ between the versions. */
type ReflectionQuery = { case: ServerReflectionRequest["messageRequest"]["case"]; value?: unknown };

function createRespond(router: ConnectRouter) {
  return ({ case: kind, value }: ReflectionQuery) => {
    const services = [...new Set(router.handlers.map(({ service }) => service))];
    // No service uses the types of the network yet.
    const files = withDependencies([...services.map(({ file }) => file), file_proxydaemon_v1_network]);
    switch (kind) {
      case "listServices":
        return {
          case: "listServicesResponse",
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        } as const;
      case "fileByFilename":
        return describe(
          files.find(({ proto }) => proto.name === value),
          `There is no file '${value}'`,
        );
      case "fileContainingSymbol":
        return describe(findSymbol(files, String(value)), `There is no symbol '${value}'`);
      default:
        return notFound("This server does not look up extensions");
    }
  };
}

function describe(file: DescFile | undefined, problem: string) {
  if (file === undefined) return notFound(problem);
  const fileDescriptorProto = withDependencies([file]).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } } as const;
}

function notFound(errorMessage: string) {
  return { case: "errorResponse", value: { errorCode: Code.NotFound, errorMessage } } as const;
}

/** Finds the file that defines a symbol. Methods, fields and enum values are found through the type that contains them. */
function findSymbol(files: readonly DescFile[], symbol: string): DescFile | undefined {
  const registry = createRegistry(...files);
  const owner = symbol.slice(0, Math.max(symbol.lastIndexOf("."), 0));
  return (registry.get(symbol) ?? registry.get(owner))?.file;
}

/** The files and their transitive imports, without duplicates. */
function withDependencies(files: readonly DescFile[]): DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file)) return;
    found.add(file);
    file.dependencies.forEach(add);
  };
  files.forEach(add);
  return [...found];
}
