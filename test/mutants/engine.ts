import type { Mutant } from './mutant.ts';

/** Mutants of the engine. */
export const engine: readonly Mutant[] = [
  {
    name: 'a switch does not check the head again after the last read',
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
    name: 'pages are passed in the order in which they are completed',
    file: 'engine/following/under-way.ts',
    from: '    await before;\n',
    to: '',
    specs: ['engine/following/under-way.spec.ts'],
  },
  {
    name: 'a process releases its lease only after it has expired',
    file: 'engine/leases.ts',
    from: "if (answer === 'ours') end = renewing + trusted;",
    to: "if (answer === 'ours') end = renewing + this.ttlMs;",
    specs: ['engine/leases.spec.ts'],
  },
  {
    name: 'a read is not woken at exactly the position that it waits for',
    file: 'engine/following/waiters.ts',
    from: 'if (waiting.position <= position) waiting.wake();',
    to: 'if (waiting.position < position) waiting.wake();',
    specs: ['engine/following/waiters.spec.ts'],
  },
  {
    name: 'a projection stores the last event of a document as a dead letter again',
    file: 'engine/projecting/projector.ts',
    from: 'if (event.position <= row.position) return row;',
    to: 'if (event.position < row.position) return row;',
    specs: ['engine/projecting/projector.spec.ts', 'engine/projecting/dead-letters-of-two.spec.ts'],
  },
  {
    name: 'a switch loses the previous build',
    file: 'engine/builds/catalogue.ts',
    from: 'active: n, previous: active };',
    to: 'active: n, previous: null };',
    specs: ['engine/builds/catalogue.spec.ts'],
  },
  {
    name: 'work on one stream runs in parallel',
    file: 'engine/streams/lanes.ts',
    from: 'const mine = before.then(work, work);',
    to: 'const mine = work();',
    specs: ['engine/streams/lanes.spec.ts'],
  },
  {
    name: 'a cached value is not moved to the front when it is used',
    file: 'engine/recent.ts',
    from: 'const old = this.old.take(key);\n    if (old !== undefined) this.add(key, old);',
    to: 'const old = this.old.entries.get(key);',
    specs: ['engine/recent.spec.ts'],
  },
];
