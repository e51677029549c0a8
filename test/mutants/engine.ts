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
  {
    name: 'a checkpoint that moved during a write is forgotten',
    file: 'engine/following/checkpoints.ts',
    from: 'if (this.moved.get(name) === position) this.moved.delete(name);',
    to: 'this.moved.delete(name);',
    specs: ['engine/following/checkpoints.spec.ts'],
  },
  {
    name: 'pages are passed in the order in which they are done',
    file: 'engine/following/under-way.ts',
    from: '    await before;\n',
    to: '',
    specs: ['engine/following/under-way.spec.ts'],
  },
  {
    name: 'a holder gives its lease up only when it has ended',
    file: 'engine/leases.ts',
    from: "if (answer === 'ours') end = renewing + trusted;",
    to: "if (answer === 'ours') end = renewing + this.ttlMs;",
    specs: ['engine/leases.spec.ts'],
  },
  {
    name: 'a read is not woken at the very position that it waits for',
    file: 'engine/following/waiters.ts',
    from: 'if (waiting.position <= position) waiting.wake();',
    to: 'if (waiting.position < position) waiting.wake();',
    specs: ['engine/following/waiters.spec.ts'],
  },
  {
    name: 'a projection sets the last event of a document aside again',
    file: 'engine/projecting/projector.ts',
    from: 'if (event.position <= row.position) return row;',
    to: 'if (event.position < row.position) return row;',
    specs: ['engine/projecting/projector.spec.ts', 'engine/projecting/dead-letters-of-two.spec.ts'],
  },
  {
    name: 'a switch forgets the build before it',
    file: 'engine/builds/catalogue.ts',
    from: 'active: n, previous: active };',
    to: 'active: n, previous: null };',
    specs: ['engine/builds/catalogue.spec.ts'],
  },
  {
    name: 'work on one stream runs side by side',
    file: 'engine/streams/lanes.ts',
    from: 'const mine = before.then(work, work);',
    to: 'const mine = work();',
    specs: ['engine/streams/lanes.spec.ts'],
  },
  {
    name: 'a remembered value that is used becomes no younger',
    file: 'engine/recent.ts',
    from: 'const old = this.old.take(key);\n    if (old !== undefined) this.add(key, old);',
    to: 'const old = this.old.entries.get(key);',
    specs: ['engine/recent.spec.ts'],
  },
];
