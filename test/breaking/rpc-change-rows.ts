/**
 * A change of a file, with buf's rule for it: what breaks generated code (`source`, buf's category FILE), and what breaks programs that run
 * (`wire`, buf's WIRE_JSON). Ours differs in one thing: buf's WIRE_JSON lets RPCs and services go, which ends running clients.
 */
export interface RpcRow {
  readonly change: string;
  /** The ids of buf's rules. Empty if nothing breaks. */
  readonly source: string;
  readonly wire: string;
  readonly before: string;
  readonly after: string;
}

const message = (fields: string) => `message Item { ${fields} }`;
const kind = (values: string) => `enum Kind { ${values} }`;
const rpc = (text: string) => `message Item {} message Other {} service Shop { ${text} }`;
const proto2 = (text: string) => `syntax = "proto2"; ${text}`;
const type = (from: string, to: string) => [message(`${from} a = 1;`), message(`${to} a = 1;`)] as const;

type Line = readonly [source: string, wire: string, change: string, before: string, after: string];

// biome-ignore format: a table
const lines: readonly Line[] = [
  ["", "", "nothing", message(""), message("")],
  ["", "", "a comment", message(""), `// An item.\n${message("")}`],
  ["", "", "a field is added", message(""), message("string a = 1;")],
  ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", "a field is removed", message("string a = 1;"), message("")],
  ["FIELD_NO_DELETE", "", "a field is removed, its number and name reserved", message("string a = 1;"), message("reserved 1; reserved \"a\";")],
  ["FIELD_SAME_JSON_NAME FIELD_SAME_NAME", "FIELD_SAME_JSON_NAME FIELD_SAME_NAME", "a field is renamed", message("string a = 1;"), message("string b = 1;")],
  ["FIELD_SAME_NAME", "FIELD_SAME_NAME", "a field is renamed, but not in JSON", message("string a = 1;"), message('string b = 1 [json_name = "a"];')],
  ["FIELD_SAME_JSON_NAME", "FIELD_SAME_JSON_NAME", "a field has another name in JSON", message("string a = 1;"), message('string a = 1 [json_name = "b"];')],
  ["FIELD_NO_DELETE", "FIELD_NO_DELETE_UNLESS_NAME_RESERVED FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", "a field has another number", message("string a = 1;"), message("string a = 2;")],
  ["", "", "a field is deprecated", message("string a = 1;"), message("string a = 1 [deprecated = true];")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "int32 becomes int64", ...type("int32", "int64")],
  ["FIELD_SAME_TYPE", "", "int32 becomes uint32", ...type("int32", "uint32")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "int32 becomes sint32", ...type("int32", "sint32")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "int32 becomes string", ...type("int32", "string")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "int32 becomes bool", ...type("int32", "bool")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "string becomes bytes", ...type("string", "bytes")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "float becomes double", ...type("float", "double")],
  ["FIELD_SAME_CARDINALITY", "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "a field becomes repeated", ...type("string", "repeated string")],
  ["FIELD_SAME_CARDINALITY", "", "a field becomes optional", ...type("string", "optional string")],
  ["FIELD_SAME_CARDINALITY FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_TYPE", "a field becomes a map", `${message("repeated Pair a = 1;")} message Pair { string key = 1; string value = 2; }`, `${message("map<string, string> a = 1;")} message Pair { string key = 1; string value = 2; }`],
  ["FIELD_SAME_CARDINALITY FIELD_SAME_ONEOF", "FIELD_SAME_ONEOF", "a field moves into a oneof", message("string a = 1;"), message("oneof x { string a = 1; }")],
  ["FIELD_SAME_CARDINALITY FIELD_SAME_ONEOF ONEOF_NO_DELETE", "FIELD_SAME_ONEOF", "a oneof is removed", message("oneof x { string a = 1; }"), message("string a = 1;")],
  ["", "", "a oneof gets a field", message("oneof x { string a = 1; }"), message("oneof x { string a = 1; int32 b = 2; }")],
  ["MESSAGE_NO_DELETE", "", "a message is removed", `${message("")} message Gone {}`, message("")],
  ["MESSAGE_NO_DELETE", "", "a message is renamed", `${message("")} message Old {}`, `${message("")} message New {}`],
  ["MESSAGE_NO_DELETE", "", "a nested message is removed", message("message In {}"), message("")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "a field has another message", `${message("A a = 1;")} message A {} message B {}`, `${message("B a = 1;")} message A {} message B {}`],
  ["RESERVED_MESSAGE_NO_DELETE", "RESERVED_MESSAGE_NO_DELETE", "a reserved number is free again", message("reserved 2;"), message("")],
  ["RESERVED_MESSAGE_NO_DELETE", "RESERVED_MESSAGE_NO_DELETE", "a reserved name is free again", message('reserved "a";'), message("")],
  ["", "", "an enum value is added", kind("K_NONE = 0;"), kind("K_NONE = 0; K_ONE = 1;")],
  ["ENUM_VALUE_NO_DELETE", "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", "an enum value is removed", kind("K_NONE = 0; K_ONE = 1;"), kind("K_NONE = 0;")],
  ["ENUM_VALUE_NO_DELETE", "", "an enum value is removed, its number and name reserved", kind("K_NONE = 0; K_ONE = 1;"), kind('K_NONE = 0; reserved 1; reserved "K_ONE";')],
  ["ENUM_VALUE_SAME_NAME", "ENUM_VALUE_SAME_NAME", "an enum value is renamed", kind("K_NONE = 0; K_ONE = 1;"), kind("K_NONE = 0; K_UNO = 1;")],
  ["ENUM_NO_DELETE", "", "an enum is removed", message("") + kind("K_NONE = 0;"), message("")],
  ["FIELD_SAME_TYPE", "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "int32 becomes an enum", message("int32 a = 1;") + kind("K_NONE = 0;"), message("Kind a = 1;") + kind("K_NONE = 0;")],
  ["", "", "an RPC is added", rpc(""), rpc("rpc Get(Item) returns (Item);")],
  ["RPC_NO_DELETE", "RPC_NO_DELETE", "an RPC is removed", rpc("rpc Get(Item) returns (Item);"), rpc("")],
  ["RPC_NO_DELETE", "RPC_NO_DELETE", "an RPC is renamed", rpc("rpc Get(Item) returns (Item);"), rpc("rpc Fetch(Item) returns (Item);")],
  ["RPC_SAME_REQUEST_TYPE", "RPC_SAME_REQUEST_TYPE", "an RPC takes another message", rpc("rpc Get(Item) returns (Item);"), rpc("rpc Get(Other) returns (Item);")],
  ["RPC_SAME_RESPONSE_TYPE", "RPC_SAME_RESPONSE_TYPE", "an RPC returns another message", rpc("rpc Get(Item) returns (Item);"), rpc("rpc Get(Item) returns (Other);")],
  ["RPC_SAME_SERVER_STREAMING", "RPC_SAME_SERVER_STREAMING", "an RPC streams responses", rpc("rpc Get(Item) returns (Item);"), rpc("rpc Get(Item) returns (stream Item);")],
  ["RPC_SAME_CLIENT_STREAMING", "RPC_SAME_CLIENT_STREAMING", "an RPC streams requests", rpc("rpc Get(Item) returns (Item);"), rpc("rpc Get(stream Item) returns (Item);")],
  ["RPC_SAME_IDEMPOTENCY_LEVEL", "RPC_SAME_IDEMPOTENCY_LEVEL", "an RPC is no longer idempotent", rpc("rpc Get(Item) returns (Item) { option idempotency_level = NO_SIDE_EFFECTS; }"), rpc("rpc Get(Item) returns (Item);")],
  ["SERVICE_NO_DELETE", "PACKAGE_SERVICE_NO_DELETE", "a service is removed", rpc(""), "message Item {} message Other {}"],
  ["FILE_SAME_PACKAGE", "FILE_SAME_PACKAGE", "the package changes", rpc(""), `package other.v1; ${rpc("")}`],
  ["FILE_SAME_GO_PACKAGE", "", "the package of Go changes", `option go_package = "a/b"; ${message("")}`, `option go_package = "a/c"; ${message("")}`],
  ["FIELD_SAME_JAVA_UTF8_VALIDATION FIELD_SAME_UTF8_VALIDATION FILE_SAME_SYNTAX", "", "the syntax changes", proto2(message("optional string a = 1;")), message("optional string a = 1;")],
  ["FIELD_SAME_DEFAULT", "FIELD_SAME_DEFAULT", "a default of proto2", proto2(message("optional int32 a = 1 [default = 1];")), proto2(message("optional int32 a = 1 [default = 2];"))],
  ["MESSAGE_SAME_REQUIRED_FIELDS", "MESSAGE_SAME_REQUIRED_FIELDS", "a required field of proto2 is added", proto2(message("")), proto2(message("required int32 a = 1;"))],
  ["FIELD_SAME_CARDINALITY MESSAGE_SAME_REQUIRED_FIELDS", "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY MESSAGE_SAME_REQUIRED_FIELDS", "a required field of proto2 becomes optional", proto2(message("required int32 a = 1;")), proto2(message("optional int32 a = 1;"))],
  ["EXTENSION_NO_DELETE", "", "an extension is removed", proto2(`${message("extensions 100 to 199;")} extend Item { optional int32 a = 100; }`), proto2(message("extensions 100 to 199;"))],
  ["EXTENSION_MESSAGE_NO_DELETE", "", "a range of extensions is removed", proto2(message("extensions 100 to 199;")), proto2(message(""))],
  ["ENUM_SAME_TYPE", "", "an enum becomes closed", `edition = "2023"; ${kind("K_NONE = 0;")}`, `edition = "2023"; ${kind("option features.enum_type = CLOSED; K_NONE = 0;")}`],
];

export const rpcRows: readonly RpcRow[] = lines.map(([source, wire, change, before, after]) => ({
  ...{ change, source, wire, before, after },
}));
