// What of a service does not compile.
import { expectTypeOf, it } from "vitest";
import { contract, type ProblemCode, type Types, type User } from "../generated/contract.ts";
import { handlers as allHandlers } from "./operations/handlers.ts";
import { defineService, type Handlers, Problem, pageOf } from "./server/index.ts";
import { definition, service } from "./service.ts";

const define = defineService<Types>();
const { "user.list": list, ...handlersWithoutList } = allHandlers;
const rest = { name: "x", contract };

it("infers what handlers get from what services returns", () => {
  define({
    ...rest,
    services: (database, server) => ({ ...definition.services(database, server), answer: 42 }),
    handlers: {
      ...handlersWithoutList,
      "user.list": (input, { services, deadline, trace, requestId }) => {
        expectTypeOf(services.answer).toEqualTypeOf<number>();
        expectTypeOf(requestId).toEqualTypeOf<string>();
        expectTypeOf(trace).toBeNullable();
        return pageOf("user.list", input, services.users.page, deadline);
      },
    },
  });
  expectTypeOf(service.run).returns.resolves.toBeVoid();
});

const { services } = definition;

it("rejects a missing handler, and one that the contract does not have", () => {
  // @ts-expect-error: no user.list
  define({ ...rest, services, handlers: handlersWithoutList });
  // @ts-expect-error: no user.forget in the contract
  define({ ...rest, services, handlers: { ...allHandlers, "user.forget": list } });
});

it("rejects a wrong result", () => {
  // @ts-expect-error: no page
  define({ ...rest, services, handlers: { ...allHandlers, "user.list": () => ({ items: [1] }) } });
});

it("rejects handlers that need a service which nobody gives", () => {
  // @ts-expect-error: no users
  define({ ...rest, services: (_, server) => server, handlers: allHandlers });
});

it("rejects types of an operation that the contract does not have", () => {
  type More = Types & { readonly "user.forget": Types["user.list"] };
  const handlers = { ...allHandlers, "user.forget": list };
  // @ts-expect-error: no user.forget in the contract
  defineService<More>()({ ...rest, services, handlers });
});

it("rejects a page whose reader lacks a member of the item", () => {
  define({
    ...rest,
    services: (database, server) => ({
      ...definition.services(database, server),
      names: database.pageReader<Pick<User, "id" | "name">>("users", { id: "id", name: "name" }),
      // @ts-expect-error: no createdAt
      all: database.pageReader<User>("users", { id: "id", name: "name", email: "email" }),
    }),
    handlers: {
      ...handlersWithoutList,
      "user.list": (input, { services, deadline }) =>
        // @ts-expect-error: its items have no email
        pageOf("user.list", input, services.names, deadline),
    },
  });
});

it("takes only the problems of the operation, and in stores those of the contract", () => {
  const handlers: Pick<Handlers<Types, unknown>, "user.create" | "user.list"> = {
    "user.create": (_, { problem }) => {
      throw problem("email-taken", { detail: "It is." });
    },
    "user.list": (_, { problem }) => {
      // @ts-expect-error: not one of user.list
      throw problem("email-taken");
    },
  };
  expectTypeOf(handlers).not.toBeAny();
  new Problem<ProblemCode>("email-taken");
  // @ts-expect-error: not one of the contract
  new Problem<ProblemCode>("email-given");
});
