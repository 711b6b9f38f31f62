/** A plugin of Shadowsocks as SIP003 writes it: `name;option=value`. Empty without a plugin. */
export function pluginText(name: string, options: string): string {
  if (name === "") return "";
  const usualName = name === "simple-obfs" || name === "obfs" ? "obfs-local" : name;
  return options === "" ? usualName : `${usualName};${options}`;
}
