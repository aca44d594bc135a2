/** Whose request it is: the key, never the text of it. */
export interface Caller {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
}
