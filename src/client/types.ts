// What each operation takes and answers, derived from the table of a contract and the types that
// are generated with it: nothing of them is there at run time.

/** The part of a contract that a client knows. */
export interface AnyContract {
  readonly operations: {
    readonly [id: string]: {
      readonly name: string;
      readonly input: { readonly [member: string]: { readonly required: boolean } };
      readonly problems: readonly string[];
    };
  };
}

/** The types that are generated with a contract. */
export type TypesOf<C extends AnyContract> = {
  readonly [Id in IdsOf<C>]: {
    readonly input: object;
    readonly answer: { readonly mediaType: string; readonly body: unknown };
  };
};

type IdsOf<C extends AnyContract> = keyof C["operations"] & string;

/** `docs.get.{name}` as one calls it: `docs.get.${string}`. */
type Called<Name extends string> = Name extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Called<After>}`
  : Name;

/** Every name that can be called, by the id of its operation. */
type Names<C extends AnyContract> = { [Id in IdsOf<C>]: Called<C["operations"][Id]["name"]> };

/** The name of an operation as one calls it: `user.list`, `docs.get.README`. */
export type OperationName<C extends AnyContract> = Names<C>[IdsOf<C>];

/** The operation that a name calls. */
type IdOf<C extends AnyContract, Name extends string> = {
  [Id in IdsOf<C>]: Name extends Names<C>[Id] ? Id : never;
}[IdsOf<C>];

type Members<C extends AnyContract, Id extends IdsOf<C>> = C["operations"][Id]["input"];
type Required<C extends AnyContract, Id extends IdsOf<C>> = {
  [M in keyof Members<C, Id>]: Members<C, Id>[M] extends { readonly required: true } ? M : never;
}[keyof Members<C, Id>];
type ValueOf<T, M> = M extends keyof T ? T[M] : never;

/** The input of an operation; what has a default may be left out. */
export type Input<C extends AnyContract, T extends TypesOf<C>, Name extends string> = InputOf<
  C,
  T,
  IdOf<C, Name>
>;
type InputOf<C extends AnyContract, T extends TypesOf<C>, Id extends IdsOf<C>> = keyof Members<
  C,
  Id
> extends never
  ? Record<string, never>
  : { [M in Required<C, Id>]: ValueOf<T[Id]["input"], M> } & {
      [M in Exclude<keyof Members<C, Id>, Required<C, Id>>]?:
        | ValueOf<T[Id]["input"], M>
        | undefined;
    };

/** The representations that an operation offers. */
export type MediaType<C extends AnyContract, T extends TypesOf<C>, Name extends string> = T[IdOf<
  C,
  Name
>]["answer"]["mediaType"];

/** What an operation answers in a representation: of JSON the value, of anything else the text. */
export type Answer<
  C extends AnyContract,
  T extends TypesOf<C>,
  Name extends string,
  Media extends string = JsonOf<C, T, Name>,
> = Extract<T[IdOf<C, Name>]["answer"], { mediaType: Media }>["body"];
export type JsonOf<C extends AnyContract, T extends TypesOf<C>, Name extends string> = Extract<
  MediaType<C, T, Name>,
  "application/json"
>;

/** The codes of an operation's error responses. */
export type CodeOf<C extends AnyContract, Name extends string> = C["operations"][IdOf<
  C,
  Name
>]["problems"][number];

/** The operations that answer a page and take its `nextCursor`. */
export type PagedName<C extends AnyContract, T extends TypesOf<C>> = {
  [Id in IdsOf<C>]: "cursor" extends keyof Members<C, Id>
    ? T[Id]["answer"]["body"] extends { items: unknown[]; nextCursor?: string }
      ? Names<C>[Id]
      : never
    : never;
}[IdsOf<C>];

/** What a page of an operation holds. */
export type Item<C extends AnyContract, T extends TypesOf<C>, Name extends string> =
  Answer<C, T, Name> extends { items: (infer Each)[] } ? Each : never;
