/** A defect of an example: the first occurrence of a text in one of its files is another one. */
export interface Defect {
  readonly what: string;
  /** A file of the folder that `new-service` writes. */
  readonly file: string;
  readonly text: string;
  readonly by: string;
  /** The requirement that the service breaks then. */
  readonly requirement: string;
}
