import type {
  FieldDescriptorProto,
  FileDescriptorProto,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import type { DaemonBehaviour } from "./behaviour.js";

function withFields(message: string, change: (field: (name: string) => FieldDescriptorProto) => void): DaemonBehaviour {
  return {
    contract: ({ messageType }) => {
      const fields = messageType.find(({ name }) => name === message)?.field ?? [];
      change((name) => {
        const found = fields.find((field) => field.name === name);
        if (found === undefined) throw new TypeError(`${message} has no ${name}`);
        return found;
      });
    },
  };
}

/** A daemon that was built with other field numbers in a message. */
export function withNumbers(message: string, numbers: Readonly<Record<string, number>>): DaemonBehaviour {
  return withFields(message, (field) => {
    for (const [name, number] of Object.entries(numbers)) field(name).number = number;
  });
}

/** A daemon that was built with another type of a field. */
export function withType(message: string, name: string, type: Type): DaemonBehaviour {
  return withFields(message, (field) => {
    field(name).type = type;
  });
}

/** Moves a file of the contract to another package, in place. */
export function renamePackage(file: FileDescriptorProto, name: string): void {
  const old = `.${file.package}.`;
  file.package = name;
  const renamed = (type: string) => (type.startsWith(old) ? `.${name}.${type.slice(old.length)}` : type);
  for (const field of file.messageType.flatMap((message) => message.field)) field.typeName = renamed(field.typeName);
  for (const method of file.service.flatMap((service) => service.method)) {
    method.inputType = renamed(method.inputType);
    method.outputType = renamed(method.outputType);
  }
}
