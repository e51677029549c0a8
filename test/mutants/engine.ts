import type { Mutant } from './mutant.ts';

/** What runs nouns, projections and processes. */
export const engine: readonly Mutant[] = [
  {
    name: 'a switch does not look at the head again once nobody reads',
    file: 'engine/builds/served.ts',
    from: 'if ((await this.nobodyReads()) && (await this.reachesHead(build))) this.build = build;',
    to: 'if (await this.nobodyReads()) this.build = build;',
    specs: ['engine/builds/served.spec.ts', 'engine/builds/switching.spec.ts'],
  },
];
