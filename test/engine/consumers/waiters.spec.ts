import { Waiters } from '../../../src/engine/consumers/waiters.js';
import { MemoryReadModels } from '../../support/memory/read-models.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

class CountedReadModels extends MemoryReadModels {
  asked = 0;

  override readCheckpoint(name: string) {
    this.asked++;
    return super.readCheckpoint(name);
  }
}

function waiters() {
  const cluster = new TestCluster();
  return {
    ...cluster,
    clock: cluster.clock,
    readModels: cluster.readModels,
    waiters: new Waiters(cluster.readModels, cluster.clock),
  };
}

/** Returns the current state of a promise. */
function watch<T>(promise: Promise<T>) {
  const seen: { value?: T } = {};
  void promise.then((value) => (seen.value = value));
  return seen;
}

describe('Waiting for a projection of this process', () => {
  it('ends as soon as the position is reached', async () => {
    const { waiters: all, clock } = waiters();
    all.advance('jars@1', '');
    const waiting = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(100);
    all.advance('jars@1', '02');
    await clock.advance(0);
    expect(waiting).toEqual({});
    all.advance('jars@1', '04');
    await clock.advance(0);
    expect(waiting).toEqual({ value: true });
  });

  it('ends at once when the position was reached before', async () => {
    const { waiters: all } = waiters();
    all.advance('jars@1', '04');
    expect(await all.waitUntil('jars@1', '04', 1_500)).toBe(true);
  });

  it('is not needed when this process knows that the position was reached', () => {
    const { waiters: all } = waiters();
    all.advance('jars@1', '04');
    expect(['', '03', '04', '05'].map((position) => all.hasReached('jars@1', position))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('is given up after the given time', async () => {
    const { waiters: all, clock } = waiters();
    all.advance('jars@1', '01');
    const waiting = watch(all.waitUntil('jars@1', '02', 1_500));
    await clock.advance(1_499);
    expect(waiting).toEqual({});
    await clock.advance(1);
    expect(waiting).toEqual({ value: false });
  });

  it('fails at once while the projection is known to be late', async () => {
    const { waiters: all } = waiters();
    let late = true;
    all.register('jars@1', { isLate: () => late });
    all.advance('jars@1', '01');
    expect(await all.waitUntil('jars@1', '02', 1_500)).toBe(false);
    expect(await all.waitUntil('jars@1', '01', 1_500)).toBe(true);
    late = false;
    const waiting = watch(all.waitUntil('jars@1', '02', 1_500));
    all.advance('jars@1', '02');
    await new Promise(setImmediate);
    expect(waiting).toEqual({ value: true });
  });

  it('keeps names apart', async () => {
    const { waiters: all, clock } = waiters();
    all.advance('jars@1', '01');
    const waiting = watch(all.waitUntil('jars@1', '02', 1_500));
    all.advance('lids@1', '02');
    await clock.advance(100);
    expect(waiting).toEqual({});
  });
});

describe('Waiting for a projection that another process runs', () => {
  it('ends when its checkpoint has reached the position', async () => {
    const { waiters: all, clock, readModels } = waiters();
    const waiting = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(100);
    expect(waiting).toEqual({});
    await readModels.advanceCheckpoints({ 'jars@1': '03' });
    await clock.advance(20);
    expect(waiting).toEqual({ value: true });
  });

  it('is given up after the given time', async () => {
    const { waiters: all, clock } = waiters();
    const waiting = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(1_510);
    expect(waiting).toEqual({ value: false });
  });

  it('fails at once for a stalled checkpoint, until it moves', async () => {
    const { waiters: all, clock, readModels } = waiters();
    await readModels.advanceCheckpoints({ 'jars@1': '01' });
    const first = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(1_510);
    expect(first).toEqual({ value: false });
    expect(await all.waitUntil('jars@1', '03', 1_500)).toBe(false);

    await readModels.advanceCheckpoints({ 'jars@1': '02' });
    const second = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(100);
    expect(second).toEqual({});
    await readModels.advanceCheckpoints({ 'jars@1': '03' });
    await clock.advance(20);
    expect(second).toEqual({ value: true });
  });

  it('reads the store once for all callers with the same name, and not again for a known position', async () => {
    const cluster = new TestCluster();
    const readModels = new CountedReadModels(cluster.clock);
    const all = new Waiters(readModels, cluster.clock);
    const both = [watch(all.waitUntil('jars@1', '03', 1_500)), watch(all.waitUntil('jars@1', '02', 1_500))];
    await cluster.clock.advance(100);
    const asked = readModels.asked;
    await readModels.advanceCheckpoints({ 'jars@1': '03' });
    await cluster.clock.advance(20);

    expect(both).toEqual([{ value: true }, { value: true }]);
    expect(asked).toBeLessThan(12);
    const before = readModels.asked;
    expect(await all.waitUntil('jars@1', '03', 1_500)).toBe(true);
    expect(readModels.asked).toBe(before);
  });

  it('waits for a later position after an earlier one was reached at once', async () => {
    const { waiters: all, clock, readModels } = waiters();
    await readModels.advanceCheckpoints({ 'jars@1': '02' });
    expect(await all.waitUntil('jars@1', '02', 1_500)).toBe(true);
    const later = watch(all.waitUntil('jars@1', '03', 1_500));
    await clock.advance(50);
    expect(later).toEqual({});
    await readModels.advanceCheckpoints({ 'jars@1': '03' });
    await clock.advance(20);
    expect(later).toEqual({ value: true });
  });

  it('ends at once for the start of the log', async () => {
    expect(await waiters().waiters.waitUntil('jars@1', '', 1_500)).toBe(true);
  });
});
