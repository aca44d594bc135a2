// The service, its list of users filtered, and in the order of another column with an index.
import { createService, pageOf } from "../../../dist/src/server/index.js";
import { definition } from "../../../dist/src/service.js";

const members = { id: "id", name: "name", email: "email", createdAt: "created_at" };
await createService({
  ...definition,
  services: (database, server) => ({
    ...definition.services(database, server),
    pages: database.pageReader("users", members),
  }),
  handlers: {
    ...definition.handlers,
    "user.list": (input, { services, deadline }) => {
      const where = { email_key: { atLeast: "user" } };
      const page = services.pages.with({ where, orderBy: ["email_key"] });
      return pageOf("user.list", input, page, deadline);
    },
  },
}).run(["serve"]);
