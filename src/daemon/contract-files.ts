import type { DescFile } from "@bufbuild/protobuf";
import * as contract from "../../generated/daemon/contract.js";

/** The files of the daemon contract. */
export function contractFiles(): DescFile[] {
  return Object.values(contract).filter((value): value is DescFile => "kind" in value && value.kind === "file");
}
