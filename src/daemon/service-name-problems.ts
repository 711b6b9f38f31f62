const identifier = String.raw`[A-Za-z_]\w*`;
const packagePattern = new RegExp(String.raw`^(?:${identifier}(?:\.${identifier})*)?$`);
const servicePattern = new RegExp(String.raw`^${identifier}(?:\.${identifier})*$`);

/** Describes what is wrong with the name of a package; undefined if nothing is. */
export function packageProblem(name: string): string | undefined {
  return packagePattern.test(name) ? undefined : "It must be the name of a package, such as acme.proxy.v2.";
}

/** Describes what is wrong with the name of a service; undefined if nothing is. */
export function serviceProblem(name: string): string | undefined {
  return servicePattern.test(name)
    ? undefined
    : "It must be the name of a service, such as Mesh, or with its package, such as acme.mesh.Mesh.";
}
