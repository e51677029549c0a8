import { Streams } from '../src/engine/streams/streams.js';
import { points } from '../src/community/domain/points.js';
import { evolve } from '../src/kernel/decider.js';
import { EventStore } from '../src/kernel/event-store.js';
import { NewerEvent } from '../src/kernel/upcasting.js';
import { declaredEvents } from './support/declared-events.js';
import { contextOf, happened } from './support/jar.js';
import { suiteRegistry } from './support/suite-registry.js';

const award = {
  awardId: 'award_1',
  communityId: 'com_1',
  memberId: 'mem_1',
  userId: 'user_1',
  email: null,
  points: 5,
  sourceType: 'manual',
  sourceId: null,
};

describe('An event that newer code has recorded', () => {
  const suite = suiteRegistry();

  it('is unknown unless a decider in the registry records it, and every decider of the code is there', async () => {
    const { types, deciders } = await declaredEvents();
    expect(suite.registry.deciders.map(({ category }) => category).sort()).toEqual(deciders.map(({ category }) => category).sort());
    expect(Object.keys(suite.registry.versions).sort()).toEqual([...new Set(types)].sort());
  });

  it('is folded by no decider when its type is unknown', () => {
    for (const decider of suite.registry.deciders) {
      const event = { type: 'SomethingNewer', data: {}, meta: { v: 1 } };
      expect(() => evolve(decider, decider.initial, event)).toThrow(NewerEvent);
    }
  });

  it('is folded by no decider when its version is higher than the newest that the decider knows', () => {
    for (const decider of suite.registry.deciders) {
      for (const [type, v] of Object.entries<number>(decider.versions)) {
        expect(() => evolve(decider, decider.initial, { type, data: {}, meta: { v: v + 1 } })).toThrow(NewerEvent);
      }
    }
  });

  it('keeps a command on its stream from being decided', async () => {
    await suite.service.get(EventStore).append('points-newer', 'none', [happened('reversed', 'PointsReversed', { balance: 0 })]);
    const climb = { levels: [], floor: 1 } as never;
    const awarding = suite.service
      .get(Streams)
      .execute(points, 'newer', { type: 'AwardPoints', award, climb, since: null, searched: 0 }, contextOf('award'));
    await expect(awarding).rejects.toMatchObject({ name: 'NewerEvent', maybeWritten: false });
  });
});
