// The typed client of this service: `import { createClient } from "atpoint-client"`.
import { command } from "../../generated/commands.ts";
import type { contract, Types } from "../../generated/contract.ts";
import type * as errors from "./answer.ts";
import * as any from "./client-of.ts";
import type * as types from "./types.ts";

export type { Failure, FailureKind } from "./answer.ts";
export { type ClientSettings, defaults } from "./client-of.ts";

type Contract = typeof contract;

const client = any.clientOf<Contract, Types>(command);
// Inferred types would repeat the whole contract in the declarations.
export const createClient: (settings: any.ClientSettings) => Client = client.createClient;
export const AtpointError: errors.ErrorsOf<Contract> = client.AtpointError;
export type AtpointError<Name extends OperationName = OperationName> = errors.AtpointError<
  Name,
  CodeOf<Name>
>;
export type Client = any.Client<Contract, Types>;

export type OperationName = types.OperationName<Contract>;
export type PagedName = types.PagedName<Contract, Types>;
export type CodeOf<Name extends OperationName> = types.CodeOf<Contract, Name>;
export type Input<Name extends OperationName> = types.Input<Contract, Types, Name>;
export type MediaType<Name extends OperationName> = types.MediaType<Contract, Types, Name>;
export type Answer<
  Name extends OperationName,
  Media extends string = types.JsonOf<Contract, Types, Name>,
> = types.Answer<Contract, Types, Name, Media>;
export type Item<Name extends PagedName> = types.Item<Contract, Types, Name>;
