import {
  documentHandlers,
  forgetResponses,
  type Handlers,
  pageOf,
  type ServerServices,
} from "atpoint-server";
import type { Types } from "./generated/contract.ts";
import type { Jobs } from "./jobs.ts";

export const handlers: Handlers<Types, ServerServices & { readonly jobs: Jobs }> = {
  "job.create": (input, { services, now, once }) =>
    once({ record: ({ id }) => id }, async () => services.jobs.add(input, now())),

  "job.get": ({ id }, { services }) => services.jobs.get(id),

  "job.list": (input, { services, deadline }) =>
    pageOf("job.list", input, services.jobs.list(input), deadline),

  "job.result": ({ id }, { services }) => services.jobs.result(id),

  "job.cancel": ({ id }, { services, once }) =>
    once({ record: id }, async () => services.jobs.cancel(id)),

  "job.delete": ({ id }, { services, once }) =>
    once({ record: id }, async (tx) => {
      services.jobs.remove(id);
      await tx.write(forgetResponses([id]));
      return { id };
    }),

  ...documentHandlers,
};
