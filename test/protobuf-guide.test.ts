import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { descriptorSet, descriptorSetBytes, descriptorSetJson } from "../src/contract/rpc/descriptor-set.js";
import { loadDaemonContract } from "../src/daemon/daemon-contract.js";
import { protoText } from "../src/daemon/proto-text.js";
import { guideExample } from "./support/guide-example.js";
import { needing } from "./support/needing.js";
import { isThorough } from "./support/thorough.js";

const daemon = await loadDaemonContract();
const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "accord-protobuf-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a folder with the files of `proto/` that the package ships. */
function shippedFiles(name: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  cpSync(join(root, "proto"), join(place, "proto"), {
    recursive: true,
    filter: (path) => !path.includes("third_party"),
  });
  return place;
}

/** What `protoc` needs beside itself to generate code. */
const plugins: Readonly<Record<string, readonly string[]>> = { go: ["protoc-gen-go", "protoc-gen-go-grpc"] };

interface Program {
  /** What compiles and runs it. */
  readonly needs: readonly string[];
  readonly file: string;
  readonly source: string;
  /** Compiles and runs the program beside the generated code. */
  readonly command: string;
  readonly output?: string;
}

/** Programs that print the request of an import, and whether its URL is a secret. */
const programs: Readonly<Record<string, Program>> = {
  go: {
    needs: ["go", "golang-google-grpc-dev", "golang-google-protobuf-dev"],
    file: "main.go",
    source: `package main

import (
	"fmt"
	pb "proxydaemon/v1"

	"google.golang.org/protobuf/proto"
)

func main() {
	request := &pb.ProxySubscriptionImportRequest{Url: "x"}
	url := request.ProtoReflect().Descriptor().Fields().ByName("url")
	fmt.Println(request.GetUrl(), proto.GetExtension(url.Options(), pb.E_Secret))
}
`,
    command: "mkdir src && mv proxydaemon src && GO111MODULE=off GOPATH=$PWD:/usr/share/gocode go run main.go",
  },
  python: {
    needs: ["python3-protobuf"],
    file: "main.py",
    source: `from proxydaemon.v1 import proxy_subscriptions_pb2, secret_pb2
request = proxy_subscriptions_pb2.ProxySubscriptionImportRequest(url="x")
[url] = request.DESCRIPTOR.fields
print(request.url, str(url.GetOptions().Extensions[secret_pb2.secret]).lower())
`,
    command: "/usr/bin/python3 main.py",
  },
  java: {
    needs: ["javac", "libprotobuf-java"],
    file: "Main.java",
    source: `import proxydaemon.v1.*;

public class Main {
  public static void main(String[] arguments) {
    var request = ProxySubscriptionImportRequest.newBuilder().setUrl("x").build();
    var url = request.getDescriptorForType().findFieldByName("url");
    System.out.println(request.getUrl() + " " + url.getOptions().getExtension(SecretProto.secret));
    var preview = ProxySubscriptionPreviewResponse.newBuilder().setRejectedCount4(1).build();
    assert preview.getRejectedCount4() == 1 && preview.getRejected6List().isEmpty();
  }
}
`,
    command:
      "javac -cp /usr/share/java/protobuf.jar -d classes $(find . -name '*.java') && java -ea -cp /usr/share/java/protobuf.jar:classes Main",
  },
  ruby: {
    needs: ["ruby", "ruby-google-protobuf"],
    file: "main.rb",
    source: `require "proxydaemon/v1/proxy_subscriptions_pb"
puts Proxydaemon::V1::ProxySubscriptionImportRequest.new(url: "x").url
`,
    command: "ruby -I . main.rb",
    output: "x\n", // The runtime of Debian 12 reads no options.
  },
  cpp: {
    needs: ["g++", "libprotobuf-dev"],
    file: "main.cc",
    source: `#include <iostream>
#include "proxydaemon/v1/proxy_subscriptions.pb.h"
int main() {
  proxydaemon::v1::ProxySubscriptionImportRequest request;
  request.set_url("x");
  const auto& options = request.GetDescriptor()->FindFieldByName("url")->options();
  std::cout << request.url() << (options.GetExtension(proxydaemon::v1::secret) ? " true" : " false") << std::endl;
}
`,
    command:
      "g++ -I . main.cc proxydaemon/v1/proxy_subscriptions.pb.cc proxydaemon/v1/secret.pb.cc -lprotobuf -lpthread -o main && ./main",
  },
};

describe("docs/protobuf.md", () => {
  for (const language of ["php", ...Object.keys(programs)]) {
    const { it } = needing("bash", "protoc", ...(plugins[language] ?? []));
    it.concurrent(`generates code for ${language}`, async () => {
      const cwd = shippedFiles(`${language}-code`);
      await run("bash", ["-euc", guideExample("docs/protobuf.md", language)], { cwd });
      expect(readdirSync(cwd).length).toBeGreaterThan(1);
    });
  }

  // The other compilers take seconds each.
  const chosen = Object.entries(programs).filter(([language]) => isThorough || ["python", "ruby"].includes(language));
  for (const [language, { needs, file, source, command, output = "x true\n" }] of chosen) {
    const { it } = needing("bash", "protoc", ...(plugins[language] ?? []), ...needs);
    it.concurrent(`generates code that a program in ${language} uses`, async () => {
      const cwd = shippedFiles(language);
      await run("bash", ["-euc", guideExample("docs/protobuf.md", language)], { cwd });
      writeFileSync(join(cwd, file), source);
      const { stdout } = await run("bash", ["-euc", command], { cwd });
      expect(stdout).toBe(output);
    });
  }
});

/** The definitions of a file. */
function namesIn(file: FileDescriptorProto): string[] {
  return [file.messageType, file.enumType, file.service, file.extension].flat().map(({ name }) => name);
}

describe("the printed contract", () => {
  needing("protoc").it("is one file with the same definitions and every comment", async () => {
    const cwd = shippedFiles("text");
    writeFileSync(join(cwd, "daemon.proto"), protoText());
    await run("protoc", ["--include_source_info", "--descriptor_set_out=one.binpb", "daemon.proto"], { cwd });
    const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(join(cwd, "one.binpb")));
    const ours = descriptorSet(daemon).file.filter(({ package: name }) => name === "proxydaemon.v1");
    expect(file.flatMap(namesIn).sort()).toEqual(ours.flatMap(namesIn).sort());
    const texts = ours.map(({ name }) => readFileSync(join(cwd, "proto", name), "utf8"));
    const comments = (text: string) => text.match(/\/\/ .*/g);
    expect(comments(protoText())?.sort()).toEqual(texts.flatMap(comments).sort());
  });

  needing("protoc", "javac", "libprotobuf-java").it("is a descriptor set that protoc and Java accept", async () => {
    const cwd = shippedFiles("set");
    writeFileSync(join(cwd, "daemon.binpb"), descriptorSetBytes(daemon));
    const files = ["network", "mesh_control", "proxy_subscriptions"].map((name) => `proxydaemon/v1/${name}.proto`);
    await run("protoc", ["--descriptor_set_in=daemon.binpb", "--python_out=.", ...files], { cwd });
    writeFileSync(join(cwd, "Main.java"), readDescriptorSet);
    const { stdout } = await run("java", ["-cp", "/usr/share/java/protobuf.jar", "Main.java"], { cwd });
    expect(stdout.split("\n")).toEqual(expect.arrayContaining(files));
  });

  it("is JSON in which the options of the contract have names", () => {
    expect(JSON.stringify(descriptorSetJson(daemon))).toContain('"[proxydaemon.v1.secret]":true');
  });
});

const readDescriptorSet = `import com.google.protobuf.DescriptorProtos.*;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.nio.file.*;
import java.util.*;
public class Main {
  public static void main(String[] arguments) throws Exception {
    Map<String, FileDescriptor> files = new LinkedHashMap<>();
    for (FileDescriptorProto file : FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of("daemon.binpb"))).getFileList()) {
      var imports = file.getDependencyList().stream().map(files::get).toArray(FileDescriptor[]::new);
      files.put(file.getName(), FileDescriptor.buildFrom(file, imports));
    }
    files.keySet().forEach(System.out::println);
  }
}
`;
