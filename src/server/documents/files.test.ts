import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { publication } from "../../publication.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { start } from "../../test/running-service.ts";
import { databaseFolder } from "../storage/address.ts";
import { loadContract } from "./files.ts";

describe("loadContract", () => {
  it.each(["/openapi.json", "/openapi.yaml"])("has every document among the values of @ in %s", (path) => {
    const asset = loadContract(publication, ["https://api.example.com"]).get(path);
    const { parameters } = parse(String(asset?.identity().bytes)).paths["/api/"].get;
    const names: string[] = parameters.find(({ name }: { name: string }) => name === "@").schema.enum;
    const documents = names.filter((name) => name.startsWith("docs.get."));
    expect(documents.sort()).toEqual(
      Object.keys(publication.documents)
        .map((name) => `docs.get.${name}`)
        .sort(),
    );
  });
});

describe("security.txt", () => {
  const CONTACT = "Contact: mailto:security@example.com\r\n";

  /** A file with this in it, for as long as the test. */
  async function file(text: string): Promise<string> {
    const path = join(databaseFolder((await fresh()).url), "security.txt");
    writeFileSync(path, text);
    return path;
  }

  it("is served as it is, and only where it is configured", async () => {
    const text = `${CONTACT}Expires: 2999-12-31T23:59:59Z\r\n`;
    const { service } = await start({ SECURITY_TXT: await file(text) });
    const response = await fetch(`${service.url}/.well-known/security.txt`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(await response.text()).toBe(text);
    expect((await fetch(`${(await start()).service.url}/.well-known/security.txt`)).status).toBe(404);
  });

  it.each([CONTACT, "Expires: 2999-12-31T23:59:59Z\n", `${CONTACT}Expires: soon\n`])(
    "is not served as %j",
    async (text) => {
      await expect(start({ SECURITY_TXT: await file(text) })).rejects.toThrow(
        "needs a field Contact and one field Expires",
      );
    },
  );

  it("is named by a start that cannot read it", async () => {
    await expect(start({ SECURITY_TXT: "/nowhere" })).rejects.toThrow(
      "The file of SECURITY_TXT cannot be read: /nowhere",
    );
  });

  it("is a fault of doctor once it has expired", async () => {
    const { out } = await run({ SECURITY_TXT: await file(`${CONTACT}Expires: 2020-01-01T00:00:00Z\n`) }, "doctor");
    expect(out).toMatch(/^fault {4}security.txt: It is valid until 2020-01-01T00:00:00.000Z. To do: Renew .*\n/m);
  });
});
