import type { Mutant } from './mutant.ts';

/** The embedded store, and the holders of what stores lend. */
export const stores: readonly Mutant[] = [
  {
    name: 'what a killed process has destroyed stays in the write-ahead log',
    file: 'stores/embedded/writer/write-ahead-log.ts',
    from: 'private mustForget = true;',
    to: 'private mustForget = false;',
    specs: ['stores/left-by-a-killed-process.spec.ts'],
  },
];
