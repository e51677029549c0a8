import { Builds } from '../../../src/engine/builds/builds.js';
import { Waiters } from '../../../src/engine/consumers/waiters.js';
import { activateFirstBuild } from '../../support/builds.js';
import { ManualClock } from '../../support/clock.js';
import { jars } from '../../support/jar.js';
import { MemoryEventStore } from '../../support/memory/event-store.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';

/** A catalogue that can show an entry under another name. */
class Renaming extends MemoryReadModels {
  readonly names = new Map<string, string>();

  override async listEntries() {
    const entries = await super.listEntries();
    return entries.map((entry) => ({ ...entry, name: this.names.get(entry.name) ?? entry.name }));
  }
}

async function listen() {
  const clock = new ManualClock();
  const readModels = new Renaming(clock);
  await activateFirstBuild(jars, readModels);
  const builds = new Builds(readModels, new MemoryEventStore(clock), new Waiters(readModels, clock), clock);
  await builds.refresh();
  const calls: string[] = [];
  builds.onChange(() => calls.push([...builds.entries.keys()].join()));
  return { readModels, entry: builds.getEntry('jars@1'), builds, calls };
}

describe('A listener of the catalogue', () => {
  it('is not called when an entry is written again with the same value', async () => {
    const { readModels, entry, builds, calls } = await listen();
    await readModels.compareAndSetEntry('jars@1', 1, { ...entry });
    await builds.refresh();
    expect(calls).toEqual([]);
  });

  it('is called once when an entry changes', async () => {
    const { readModels, entry, builds, calls } = await listen();
    await readModels.compareAndSetEntry('jars@1', 1, { ...entry, paused: true });
    await builds.refresh();
    await builds.refresh();
    expect(calls).toEqual(['jars@1']);
  });

  it('is called when an entry has the same value under another name', async () => {
    const { readModels, builds, calls } = await listen();
    readModels.names.set('jars@1', 'jars@2');
    await builds.refresh();
    expect(calls).toEqual(['jars@2']);
  });
});
