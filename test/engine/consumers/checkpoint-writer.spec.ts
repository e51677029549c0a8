import { CheckpointWriter } from '../../../src/engine/consumers/checkpoint-writer.js';
import { SeededRandom } from '../../support/clock.js';
import { TestCluster } from '../../support/memory/test-cluster.js';

function writing() {
  const { clock, readModels } = new TestCluster();
  const checkpoints = new CheckpointWriter(readModels, clock, new SeededRandom());
  const stop = new AbortController();
  const ended = checkpoints.run(stop.signal);
  return {
    clock,
    readModels,
    checkpoints,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

describe('Checkpoints', () => {
  it('are written at once after applied events, with all pending ones', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    checkpoints.record('idle', '01', false);
    await clock.advance(20);
    expect(readModels.advances).toEqual([]);
    checkpoints.record('busy', '02', true);
    await clock.advance(0);
    expect(readModels.advances).toEqual([{ idle: '01', busy: '02' }]);
    await stop();
  });

  it('wait at most 25 ms for others without applied events', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    checkpoints.record('idle', '01', false);
    await clock.advance(15);
    checkpoints.record('idle', '02', false);
    await clock.advance(10);
    expect(readModels.advances).toEqual([{ idle: '02' }]);
    await stop();
  });

  it('are written together with those that move within 10 ms after the last write', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    checkpoints.record('busy', '01', true);
    await clock.advance(1);
    checkpoints.record('busy', '02', true);
    await clock.advance(1);
    checkpoints.record('busier', '03', true);
    await clock.advance(7);
    expect(readModels.advances).toEqual([{ busy: '01' }]);
    await clock.advance(1);
    expect(readModels.advances).toEqual([{ busy: '01' }, { busy: '02', busier: '03' }]);
    await stop();
  });

  it('are written at most once in 25 ms without applied events', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    for (let i = 0; i < 25; i++) {
      checkpoints.record('idle', '01', false);
      checkpoints.record('busy', '01', true);
      await clock.advance(10);
    }
    const withIdle = readModels.advances.filter(({ idle }) => idle !== undefined);
    expect([readModels.advances.length, withIdle.length]).toEqual([25, 9]);
    await stop();
  });

  it('are written next when they move during a write', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    readModels.onAdvance = () => {
      readModels.onAdvance = () => undefined;
      checkpoints.record('busy', '02', true);
    };
    checkpoints.record('busy', '01', true);
    await clock.advance(100);
    expect(readModels.advances).toEqual([{ busy: '01' }, { busy: '02' }]);
    await stop();
  });

  it('keep a position whose write failed, and never go below it', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    readModels.checkpointsUnavailable = true;
    checkpoints.record('busy', '01', true);
    await clock.advance(1_000);
    expect(checkpoints.failing).toMatchObject({ error: 'StoreUnavailable: checkpoints are unavailable' });
    checkpoints.record('busy', '02', true);
    readModels.checkpointsUnavailable = false;
    await clock.advance(5_000);
    expect(readModels.advances).toEqual([{ busy: '02' }]);
    expect(checkpoints.failing).toBeNull();
    await stop();
  });

  it('are written a last time at the end', async () => {
    const { readModels, checkpoints, stop } = writing();
    checkpoints.record('idle', '01', false);
    await stop();
    expect(readModels.advances).toEqual([{ idle: '01' }]);
  });

  it('do not delay the end during an outage of the store', async () => {
    const { clock, readModels, checkpoints, stop } = writing();
    readModels.checkpointsUnavailable = true;
    checkpoints.record('busy', '01', true);
    await clock.advance(1_000);
    await expect(stop()).resolves.toBeUndefined();
  });
});
