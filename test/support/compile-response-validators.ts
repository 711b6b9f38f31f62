import { validatorsModule } from "../../scripts/generate/validators.js";
import type { ContractDocument } from "../../src/contract/document.js";
import type { ResponseValidators } from "../../src/verify/chat/compare-response.js";

/** The response validators of a contract, such as the view of a level. */
export async function compileResponseValidators(document: ContractDocument): Promise<ResponseValidators> {
  const code = await validatorsModule(document);
  const module: { responseValidators: ResponseValidators } = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`
  );
  return module.responseValidators;
}
