import type { Validator } from "../../../generated/chat/validators.js";
import type { ContractDocument } from "../../contract/chat/document.js";
import { listResponseSchemas, sharedSchemas } from "../../contract/chat/response-schemas.js";
import { missingPackage } from "../../missing-package.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import type { ResponseValidators } from "./response-validators.js";

/**
 * The response validators of a contract, such as the view of a level; for the newest there are ready-made ones. Each is compiled when
 * it is first used. Rejects with a `CouldNotRunError` when `ajv` and `ajv-formats`, optional dependencies, are not installed.
 */
export async function compileValidators(document: ContractDocument): Promise<ResponseValidators> {
  const [{ Ajv2020 }, formats] = await loadAjv();
  const ajv = new Ajv2020({ strict: false, inlineRefs: false });
  formats.default.default(ajv);
  ajv.addSchema(sharedSchemas(document));
  const validators: Record<string, Record<string, Validator>> = {};
  for (const { operationId, status, schema } of listResponseSchemas(document)) {
    const name = `${operationId}_${status}`;
    ajv.addSchema(schema, name);
    validators[operationId] = { ...validators[operationId], [status]: lazily(() => ajv.getSchema(name) as Validator) };
  }
  return validators;
}

async function loadAjv() {
  try {
    return await Promise.all([import("ajv/dist/2020.js"), import("ajv-formats")]);
  } catch (error) {
    if (missingPackage(error) === undefined) throw error;
    throw new CouldNotRunError(
      "The contract of an older feature level is compiled by Ajv, which is not installed. Install it with: npm install --save-dev ajv ajv-formats",
    );
  }
}

function lazily(compile: () => Validator): Validator {
  let compiled: Validator | undefined;
  const validate: Validator = (value) => {
    compiled ??= compile();
    const fits = compiled(value);
    validate.errors = compiled.errors ?? null;
    return fits;
  };
  return validate;
}
