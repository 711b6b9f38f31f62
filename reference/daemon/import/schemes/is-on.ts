/** Whether a switch is on: `1`, or `true` in any case. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && (value === "1" || value.toLowerCase() === "true");
}
