import type { ServiceNames } from "../../../../src/daemon/index.js";
import type { DaemonBehaviour } from "../behaviour.js";
import type { DaemonVariation } from "../variation.js";

/** A daemon that was built from a contract with other names of package and mesh service. */
function named(packageName: string, meshService: string): Pick<DaemonVariation, "behaviour"> {
  const names: ServiceNames = { package: packageName, meshService };
  const contract: DaemonBehaviour["contract"] = (...files) => {
    for (const file of files) {
      const old = `.${file.package}.`;
      file.package = packageName;
      const renamed = (type: string) => (type.startsWith(old) ? `.${packageName}.${type.slice(old.length)}` : type);
      for (const field of file.messageType.flatMap((message) => message.field))
        field.typeName = renamed(field.typeName);
      for (const service of file.service) {
        if (service.name === "MeshControlService") service.name = meshService;
        for (const method of service.method) {
          method.inputType = renamed(method.inputType);
          method.outputType = renamed(method.outputType);
        }
      }
    }
  };
  return { behaviour: { contract, names } };
}

/** Names that the requirements leave open. */
export const nameVariations: readonly DaemonVariation[] = [
  {
    name: "other-package",
    summary: "has the services in another package, and the mesh control service under another name",
    ...named("acme.proxy.v2", "Mesh"),
  },
  {
    name: "other-package-over-connect",
    summary: "has the services in another package, and is called over Connect",
    behaviour: { ...named("proxyd", "LoginControl").behaviour, protocol: "connect" },
  },
];
