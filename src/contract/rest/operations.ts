import {
  type ContractDocument,
  type Method,
  methods,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "./document.js";

/** An operation with its path and method. */
export interface ListedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: OperationObject;
}

/** Lists the operations of the contract in the order of its paths. */
export function listOperations(document: ContractDocument): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

/** The parameters of an operation, with references resolved. */
export function parametersOf(document: ContractDocument, operation: OperationObject): ParameterObject[] {
  return (operation.parameters ?? []).map((parameter) => resolve<ParameterObject>(document, parameter));
}

/** The schema of a parameter, whether it is encoded as plain text or as JSON. */
export function parameterSchema({ schema, content = {} }: ParameterObject): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}
