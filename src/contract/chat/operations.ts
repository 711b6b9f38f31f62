import {
  type ContractDocument,
  type Method,
  methods,
  type OperationObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "./document.js";

/** An operation and where it stands. */
export interface ListedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: OperationObject;
}

/** Every operation of the contract, in the order of its paths. */
export function listOperations(document: ContractDocument): ListedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

/** The parameters of an operation, references resolved. */
export function parametersOf(document: ContractDocument, operation: OperationObject): ParameterObject[] {
  return (operation.parameters ?? []).map((parameter) => resolve<ParameterObject>(document, parameter));
}

/** The schema of a parameter, whether it travels as text or as JSON text. */
export function parameterSchema({ schema, content = {} }: ParameterObject): Schema {
  return schema ?? Object.values(content)[0]?.schema ?? {};
}
