import type { DaemonBehaviour } from "../behaviour.js";
import { renamePackage } from "../changed-fields.js";
import { variation } from "../describe.js";
import type { DaemonVariation } from "../fault.js";

/** A daemon that was built from a contract with other names of package and mesh service. */
function named(name: string, meshService: string): DaemonBehaviour {
  return {
    names: { package: name, services: { MeshControlService: meshService } },
    contract: (...files) => {
      for (const file of files) renamePackage(file, name);
      for (const service of files[1].service) service.name = meshService;
    },
  };
}

/** Names that the requirements leave open. */
export const nameVariations: readonly DaemonVariation[] = [
  variation("other-package", "has the services in another package, and the mesh control service under another name").by(
    named("acme.proxy.v2", "Mesh"),
  ),
  variation("other-package-over-connect", "has the services in another package, and is called over Connect").by({
    ...named("proxyd", "LoginControl"),
    protocol: "connect",
  }),
];
