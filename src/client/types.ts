// What each operation takes and answers, derived from the generated table: nothing of it is there
// at run time.
import type { contract, OperationId, ProblemCode, Types } from "../../generated/contract.ts";

type Table = typeof contract.operations;

/** `docs.get.{name}` as one calls it: `docs.get.${string}`. */
type Called<Name extends string> = Name extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Called<After>}`
  : Name;

/** Every name that can be called, by the id of its operation. */
type Names = { [Id in OperationId]: Called<Table[Id]["name"]> };

/** The name of an operation as one calls it: `user.list`, `docs.get.README`. */
export type OperationName = Names[OperationId];

/** The operation that a name calls. */
export type IdOf<Name extends OperationName> = {
  [Id in OperationId]: Name extends Names[Id] ? Id : never;
}[OperationId];

type Members<Id extends OperationId> = Table[Id]["input"];
type Required<Id extends OperationId> = {
  [M in keyof Members<Id>]: Members<Id>[M] extends { readonly required: true } ? M : never;
}[keyof Members<Id>];
type ValueOf<Id extends OperationId, M> = M extends keyof Types[Id]["input"]
  ? Types[Id]["input"][M]
  : never;

/** The input of an operation; what has a default may be left out. */
export type Input<Name extends OperationName> = InputOf<IdOf<Name>>;
type InputOf<Id extends OperationId> = keyof Members<Id> extends never
  ? Record<string, never>
  : { [M in Required<Id>]: ValueOf<Id, M> } & {
      [M in Exclude<keyof Members<Id>, Required<Id>>]?: ValueOf<Id, M> | undefined;
    };

/** The representations that an operation offers. */
export type MediaType<Name extends OperationName> = Types[IdOf<Name>]["answer"]["mediaType"];

/** What an operation answers in a representation: of JSON the value, of anything else the text. */
export type Answer<Name extends OperationName, Media extends string = JsonOf<Name>> = Extract<
  Types[IdOf<Name>]["answer"],
  { mediaType: Media }
>["body"];
export type JsonOf<Name extends OperationName> = Extract<MediaType<Name>, "application/json">;

/** The codes of an operation's error responses. */
export type CodeOf<Name extends OperationName> = Table[IdOf<Name>]["problems"][number] &
  ProblemCode;

/** The operations that answer a page and take its `nextCursor`. */
export type PagedName = {
  [Id in OperationId]: "cursor" extends keyof Members<Id>
    ? Types[Id]["answer"]["body"] extends { items: unknown[]; nextCursor?: string }
      ? Names[Id]
      : never
    : never;
}[OperationId];

/** What a page of an operation holds. */
export type Item<Name extends PagedName> =
  Answer<Name> extends { items: (infer Each)[] } ? Each : never;
