/** How a case writes a file down. */
interface DescribedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The file that a value of a case describes; undefined when it describes none. */
export function describedFile(value: unknown): File | undefined {
  return isDescribed(value) ? new File([value.text], value.name, { type: value.type }) : undefined;
}

function isDescribed(value: unknown): value is DescribedFile {
  return typeof value === "object" && value !== null && "text" in value && "name" in value;
}
