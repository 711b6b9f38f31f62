import { clone, createFileRegistry, type DescFile } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { MeshControlService, ProxySubscriptions } from "../../../src/daemon/index.js";
import type { DaemonBehaviour } from "./behaviour.js";

/** The services of a contract. */
export interface ChangedServices {
  readonly subscriptions: typeof ProxySubscriptions;
  readonly mesh: typeof MeshControlService;
}

/**
 * The services of a daemon built from a changed contract. They have the types of the unchanged contract, so that
 * handlers fit. A behaviour that changes the type of a field therefore has to return values of the new type.
 */
export function changedServices(change: DaemonBehaviour["contract"]): ChangedServices {
  if (change === undefined) return { subscriptions: ProxySubscriptions, mesh: MeshControlService };
  const [subscriptions, mesh] = [ProxySubscriptions.file, MeshControlService.file].map(({ proto }) =>
    clone(FileDescriptorProtoSchema, proto),
  );
  if (subscriptions === undefined || mesh === undefined) throw new TypeError("The contract has two files");
  change(subscriptions, mesh);
  return {
    subscriptions: onlyService(subscriptions) as typeof ProxySubscriptions,
    mesh: onlyService(mesh) as typeof MeshControlService,
  };
}

function onlyService(file: FileDescriptorProto) {
  const name = `${file.package}.${file.service[0]?.name}`;
  const service = createFileRegistry(file, (path) =>
    findImport(path, [ProxySubscriptions.file, MeshControlService.file]),
  ).getService(name);
  if (service === undefined) throw new TypeError(`There is no service ${name}`);
  return service;
}

/** Finds a file among those that other files import, directly or not. */
function findImport(path: string, files: readonly DescFile[]): FileDescriptorProto | undefined {
  const imported = files.flatMap(({ dependencies }) => dependencies);
  if (imported.length === 0) return undefined;
  return imported.find(({ proto }) => proto.name === path)?.proto ?? findImport(path, imported);
}
