// Types, whose an error is, and why. Everything else is in wire.test.ts.
import { createServer } from "node:http";
import { expect, expectTypeOf, it } from "vitest";
import type { User } from "../../generated/contract.ts";
import { BOUND_MS } from "../test/patience.ts";
import { portOf } from "../test/ports.ts";
import { AtpointError, createClient } from "./client.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };

const failed = (call: Promise<unknown>): Promise<AtpointError> =>
  call.then(
    () => expect.unreachable("it must fail"),
    (error) => error,
  );

it("keeps whose an error is and why, of the network and of the caller who aborts", async () => {
  const caller = new AbortController();
  const server = createServer(({ url, socket }) =>
    url?.includes("docs") ? caller.abort("enough") : socket.destroy(),
  );
  const port = await portOf(server);
  // A name has several addresses.
  const client = createClient({
    baseUrl: `http://localhost:${port}`,
    timeoutMs: BOUND_MS,
    retries: 0,
  });
  const closed = await failed(client.call("sysinfo"));
  const ofItself = ["sysinfo", "user.list"] as const;
  expect(ofItself.map((one) => AtpointError.is(closed, one))).toEqual([true, false]);
  expect(AtpointError.is(new Error("sysinfo"), "sysinfo")).toBe(false);
  expect(closed).toMatchObject({ kind: "network", cause: expect.any(TypeError) });
  expect(closed.message).toBe("sysinfo: no complete response (other side closed)");
  const options = { signal: caller.signal };
  expect(await failed(client.call("docs.list", {}, options))).toMatchObject({
    kind: "aborted",
    cause: "enough",
  });
  server.close();
  expect((await failed(client.call("sysinfo"))).message).toMatch(
    /^sysinfo: no complete response \(.*ECONNREFUSED/,
  );
});

// None of it runs: `npm run check:types` checks it.
it("has the types of the contract", () => {
  const client = createClient({ baseUrl: "" });
  const failure: unknown = null;
  const accepted = async () => {
    expectTypeOf(await client.call("user.create", ada)).toEqualTypeOf<User>();
    expectTypeOf(
      await client.call("docs.get.any", {}, { accept: "text/html" }),
    ).toEqualTypeOf<string>();
    for await (const user of client.walk("user.list")) expectTypeOf(user).toEqualTypeOf<User>();
    if (AtpointError.is(failure, "docs.get.any"))
      expectTypeOf<"email-taken">().not.toExtend<typeof failure.code>();
    if (AtpointError.is(failure, "user.create"))
      expectTypeOf<"email-taken">().toExtend<typeof failure.code>();
  };
  const rejected = [
    // @ts-expect-error No document is named.
    () => client.call("docs.get"),
    // @ts-expect-error It needs an input.
    () => client.call("user.create"),
    // @ts-expect-error It needs an e-mail address.
    () => client.call("user.create", { name: "Ada" }),
    // @ts-expect-error A limit is a number.
    () => client.call("user.list", { limit: "1" }),
    // @ts-expect-error It takes nothing.
    () => client.call("sysinfo", { verbose: true }),
    // @ts-expect-error The name of a document is part of the name.
    () => client.call("docs.get.README", { name: "README" }),
    // @ts-expect-error A list is JSON only.
    () => client.call("user.list", {}, { accept: "text/html" }),
    () =>
      // @ts-expect-error Text is no document.
      client.call("docs.get.README", {}, { accept: "text/markdown" }).then(({ title }) => title),
    // @ts-expect-error It has no pages.
    () => client.walk("docs.list"),
    // @ts-expect-error No code of this operation.
    () => AtpointError.is(failure, "user.list") && failure.code === "email-taken",
  ];
  expect([accepted, ...rejected].map((call) => typeof call)).not.toContain("undefined");
});
