/** A small wrong change of the code. */
export interface Mutant {
  /** The fault that the mutant causes. */
  readonly name: string;
  /** Path below src. */
  readonly file: string;
  /** A text that the file contains exactly once. */
  readonly from: string;
  readonly to: string;
  /** Paths below test of the specs of the changed code. At least one of them must fail. */
  readonly specs: readonly string[];
}
