import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import type { CallHandler } from "../../server/rpc/call-handler.js";
import type { RpcRoute } from "../../server/rpc/rpc-server-options.js";

/** The services of a contract by name, as `accord generate` writes them. */
export type Services = Readonly<Record<string, DescService>>;

type UnaryOf<Methods> = {
  [Name in keyof Methods as Methods[Name] extends DescMethodUnary ? Name : never]: Methods[Name];
};

/** The unary RPCs of a service by their name in lowerCamelCase. */
export type UnaryMethods<Service extends DescService> = UnaryOf<Service["method"]>;

/** A unary RPC as `<service>/<method>`, such as `ProxySubscriptions/SelectNode`. */
export type RpcOf<Group extends Services> = {
  [Name in keyof Group & string]: `${Name}/${Capitalize<keyof UnaryMethods<Group[Name]> & string>}`;
}[keyof Group & string];

/** The short name of a service in lowerCamelCase: `proxySubscriptions` for `ProxySubscriptions`, `shop` for `ShopService`. */
export type ShortName<Name extends string> = Uncapitalize<Name extends `${infer Short}Service` ? Short : Name>;

/** The short name of a service in lowerCamelCase. */
export function shortName(service: string): string {
  const short = service.replace(/(?<=.)Service$/, "");
  return short.charAt(0).toLowerCase() + short.slice(1);
}

type HandlerOf<Method> = Method extends DescMethodUnary ? CallHandler<Method> : never;

/** A handler for each unary RPC of a service. */
export type ServiceHandlers<Service extends DescService> = {
  readonly [Name in keyof UnaryMethods<Service>]: HandlerOf<UnaryMethods<Service>[Name]>;
};

/** A handler for each unary RPC, by the short name of its service and its own, such as `shop.getItem`. */
export type Handlers<Group extends Services> = {
  readonly [Name in keyof Group & string as ShortName<Name>]: ServiceHandlers<Group[Name]>;
};

/**
 * The unary RPCs of services with their handlers, of which `handlersOf` returns those of a service. Throws a `TypeError` if a handler is
 * missing, which only untyped code can cause.
 */
export function routesOf(services: Services, handlersOf: (service: string) => object | undefined): RpcRoute[] {
  return Object.entries(services).flatMap(([service, { methods }]) =>
    methods.filter(isUnary).map((method) => {
      const handlers = handlersOf(service);
      const handler: unknown = handlers && Reflect.get(handlers, method.localName);
      if (typeof handler !== "function") throw new TypeError(`${service} has no handler ${method.localName}`);
      // Keep `this`, because the handlers may be an instance of a class. The type of each matches its method.
      return { rpc: `${service}/${method.name}`, method, handler: handler.bind(handlers) };
    }),
  );
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
