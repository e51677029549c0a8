/** A small wrong change of the code. */
export interface Mutant {
  /** What the code does wrong with it. */
  readonly name: string;
  /** Below src. */
  readonly file: string;
  /** A text that is in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Below test: the specs of the code that is changed. One of them has to fail. */
  readonly specs: readonly string[];
}
