import { createRegistry, type DescFile, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { ServerReflection, type ServerReflectionRequest } from "../../../generated/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionV1Alpha } from "../../../generated/grpc/reflection/v1alpha/reflection_pb.js";
import { withImports } from "../../contract/rpc/descriptor-set.js";

/**
 * Adds server reflection, which tools such as `buf curl` and grpcurl use to discover the services of the router. It also describes the types
 * of `files`. Older tools only support v1alpha, which differs from v1 only in its package name.
 */
export function addReflection(router: ConnectRouter, files: readonly DescFile[], closing: AbortSignal): void {
  const respond = createRespond(router, files);
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

function createRespond(router: ConnectRouter, others: readonly DescFile[]) {
  return ({ case: kind, value }: ReflectionQuery) => {
    const services = [...new Set(router.handlers.map(({ service }) => service))];
    const files = withImports([...services.map(({ file }) => file), ...others]);
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
  const fileDescriptorProto = withFileFirst(file).map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
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

/** A file, then its imports: some tools take the first file for the one that they asked for. */
function withFileFirst(file: DescFile): DescFile[] {
  return withImports([file]).reverse();
}
