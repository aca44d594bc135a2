import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../package.ts";
import { loadContract } from "./contract-assets.ts";
import { DOCUMENT_NAMES } from "./files.ts";

describe("loadContract", () => {
  it.each(["/openapi.json", "/openapi.yaml"])("adds our own documents to the values of @ in %s", (path) => {
    const asset = loadContract(packageRoot(), ["https://api.example.com"]).get(path);
    const { parameters } = parse(String(asset?.identity().bytes)).paths["/api/"].get;
    const names: string[] = parameters.find(({ name }: { name: string }) => name === "@").schema.enum;
    const documents = names.filter((name) => name.startsWith("docs.get."));
    expect(documents.sort()).toEqual(DOCUMENT_NAMES.map((name) => `docs.get.${name}`).sort());
  });
});
