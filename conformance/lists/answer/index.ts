import { check } from "../../checks/check.ts";
import { expectSuccess } from "../../client/expect.ts";
import { contract } from "../../contract.ts";

/** The responses of an operation, if the spec has a requirement of that name: a valid call gets its documented success. */
export const answers = Object.values(contract.operations)
  .filter(({ id }) => contract.requirements.some((one) => one.id === `${id}/answer`))
  .map((operation) =>
    check(
      `${operation.id}/answer`,
      { effect: operation.method === "GET" ? "read" : "write", of: operation },
      async (api) => {
        const reply = await api.call(operation.id, { input: api.example(operation.id) });
        expectSuccess(reply, operation.id);
      },
    ),
  );
