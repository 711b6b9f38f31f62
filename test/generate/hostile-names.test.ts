import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { generateContract } from "../../src/generate/generate-contract.js";
import { lintContract } from "../../src/lint/lint-contract.js";
import { makeFolder, museum } from "../support/museum.js";

/** Texts that end a comment or a string, and then run code. */
const hostile = [
  "a\nplanted();",
  "a\rplanted();",
  "a\u2028planted();",
  "a*/planted();/*",
  'a"; planted(); //',
  "a'+planted()+'",
  "a`planted()`",
];

/** Whether `planted` is a word of a program, other than in its comments and strings. */
function runsPlanted(code: string): boolean {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("a.ts", code, ts.ScriptTarget.Latest));
  return found.includes("planted");
}

type File = NonNullable<MessageInitShape<typeof FileDescriptorSetSchema>["file"]>[number];

const { STRING } = FieldDescriptorProto_Type;
const field = { name: "x", number: 1, type: STRING, label: FieldDescriptorProto_Label.OPTIONAL };
const file = { name: "a.proto", syntax: "proto2", package: "a" };
const message = { name: "A", field: [field] };
const service = { name: "S", method: [{ name: "Get", inputType: ".a.A", outputType: ".a.A" }] };

/** A contract of a descriptor set with one file. */
function contractOf(changed: File) {
  const folder = makeFolder({});
  const set = create(FileDescriptorSetSchema, {
    file: [{ ...file, messageType: [message], service: [service], ...changed } as File],
  });
  const proto = join(folder, "set.binpb");
  writeFileSync(proto, toBinary(FileDescriptorSetSchema, set));
  return { kind: "rpc", name: "a", proto } as const;
}

const names: Readonly<Record<string, (name: string) => object>> = {
  file: (name) => ({ name: `${name}.proto` }),
  package: (name) => ({ package: name }),
  message: (name) => ({ messageType: [message, { name }] }),
  "nested message": (name) => ({ messageType: [{ ...message, nestedType: [{ name }] }] }),
  field: (name) => ({ messageType: [{ ...message, field: [{ ...field, name }] }] }),
  oneof: (name) => ({ messageType: [{ ...message, field: [{ ...field, oneofIndex: 0 }], oneofDecl: [{ name }] }] }),
  enum: (name) => ({ enumType: [{ name, value: [{ name: "X", number: 0 }] }] }),
  "enum value": (name) => ({ enumType: [{ name: "E", value: [{ name: `${name} = 0, [planted()]`, number: 0 }] }] }),
  service: (name) => ({ service: [service, { name }] }),
  RPC: (name) => ({ service: [{ ...service, method: [{ ...service.method[0], name }] }] }),
};

describe("a descriptor set", () => {
  it.each(Object.entries(names))("is refused for the name of a %s that Protobuf does not have", async (_, change) => {
    for (const name of hostile) {
      const contract = contractOf(change(name));
      await expect(generateContract(contract), name).rejects.toThrow(/ is (?:no name of|invalid)/);
      const findings = await lintContract(contract, { tier: "minimal", runsCode: false }).catch(() => [
        { severity: "error" },
      ]);
      expect(findings.map(({ severity }) => severity)).toContain("error");
    }
  });

  it("plants no code by its texts", async () => {
    for (const text of hostile) {
      const fields = [{ ...field, jsonName: text, defaultValue: text }];
      const comments = { leadingComments: text, trailingComments: text, leadingDetachedComments: [text] };
      const location = [[4, 0], [4, 0, 2, 0], [6, 0], [6, 0, 2, 0], [12], [2]].map((path) => ({
        path,
        span: [0, 0, 0],
        ...comments,
      }));
      const contract = contractOf({ messageType: [{ ...message, field: fields }], sourceCodeInfo: { location } });
      for (const code of (await generateContract(contract)).values())
        expect(runsPlanted(String(code)), text).toBe(false);
    }
  });
});

describe("an OpenAPI document", () => {
  it("plants no code by its names and texts", async () => {
    const schema = (text: string) => ({
      type: "string",
      description: text,
      title: text,
      enum: [text],
      default: text,
      format: text,
    });
    const properties = Object.fromEntries(hostile.map((text) => [text, schema(text)]));
    const { get } = museum.paths["/artworks"];
    const document = {
      ...museum,
      info: { title: hostile.join(), version: hostile.join(), description: hostile.join() },
      paths: Object.fromEntries(
        hostile.map((text) => [
          `/${text}`,
          {
            description: text,
            get: {
              ...get,
              operationId: text,
              summary: text,
              description: text,
              parameters: [{ name: text, in: "query", description: text, schema: schema(text) }],
            },
          },
        ]),
      ),
      components: {
        ...museum.components,
        schemas: {
          ...museum.components.schemas,
          ...Object.fromEntries(
            hostile.map((text) => [text, { type: "object", properties, required: hostile, description: text }]),
          ),
        },
      },
    };
    const folder = makeFolder({ "openapi.json": document });
    const contract = { kind: "rest", name: "a", openapi: join(folder, "openapi.json"), conventions: {} } as const;
    const files = await generateContract(contract);
    expect(files.get("types.ts")).toContain("planted");
    for (const [path, code] of files) expect(path.endsWith(".ts") && runsPlanted(String(code)), path).toBe(false);
  });
});
