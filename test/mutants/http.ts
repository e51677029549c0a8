import type { Mutant } from './mutant.ts';

/** The edge. */
export const http: readonly Mutant[] = [];
