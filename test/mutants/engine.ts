import type { Mutant } from './mutant.ts';

/** Mutants of the engine. */
export const engine: readonly Mutant[] = [
  {
    name: 'a switch does not check the head again after the last read',
    file: 'engine/builds/active-build.ts',
    from: 'if ((await this.waitForReaders()) && (await this.hasReachedHead(build))) this.build = build;',
    to: 'if (await this.waitForReaders()) this.build = build;',
    specs: ['engine/builds/active-build.spec.ts', 'engine/builds/switching.spec.ts'],
  },
  {
    name: 'a checkpoint that moved during a write is forgotten',
    file: 'engine/consumers/checkpoint-writer.ts',
    from: 'if (this.pending.get(name) === position) this.pending.delete(name);',
    to: 'this.pending.delete(name);',
    specs: ['engine/consumers/checkpoint-writer.spec.ts'],
  },
  {
    name: 'pages are passed in the order in which they are completed',
    file: 'engine/consumers/in-flight-pages.ts',
    from: '    await before;\n',
    to: '',
    specs: ['engine/consumers/in-flight-pages.spec.ts'],
  },
  {
    name: 'a process releases its lease only after it has expired',
    file: 'engine/lease-runner.ts',
    from: 'if (renewed) end = renewed.expiresAt - marginMs;',
    to: 'if (renewed) end = renewed.expiresAt;',
    specs: ['engine/lease-runner.spec.ts'],
  },
  {
    name: 'a read is not woken at exactly the position that it waits for',
    file: 'engine/consumers/waiters.ts',
    from: 'if (waiting.position <= position) waiting.wake();',
    to: 'if (waiting.position < position) waiting.wake();',
    specs: ['engine/consumers/waiters.spec.ts'],
  },
  {
    name: 'a projection stores the last event of a document as a dead letter again',
    file: 'engine/projections/projector.ts',
    from: 'if (event.position <= row.position) return row;',
    to: 'if (event.position < row.position) return row;',
    specs: ['engine/projections/projector.spec.ts', 'engine/projections/dead-letters-of-two.spec.ts'],
  },
  {
    name: 'a range of waiting events is removed when its first event is folded',
    file: 'engine/projections/block-retry.ts',
    from: 'others.filter(({ to_position }) => to_position <= position),',
    to: 'others.filter((deadLetter) => deadLetter.position <= position),',
    specs: ['engine/projections/dead-letter-ranges.spec.ts'],
  },
  {
    name: 'an event before the range of another process is not set aside',
    file: 'engine/projections/set-aside-events.ts',
    from: 'range.position <= position && position <= range.to_position) return;',
    to: 'position <= range.to_position) return;',
    specs: ['engine/projections/dead-letter-ranges.spec.ts'],
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
    file: 'engine/keyed-mutex.ts',
    from: 'const own = previous.then(work, work);',
    to: 'const own = work();',
    specs: ['engine/keyed-mutex.spec.ts'],
  },
  {
    name: 'a cached value is not moved to the front when it is used',
    file: 'engine/lru-cache.ts',
    from: 'const old = this.old.remove(key);\n    if (old !== undefined) this.add(key, old);',
    to: 'const old = this.old.entries.get(key);',
    specs: ['engine/lru-cache.spec.ts'],
  },
];
