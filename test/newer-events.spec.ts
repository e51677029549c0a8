import { pointsDecider } from '../src/community/domain/points.js';
import { Streams } from '../src/engine/streams/streams.js';
import { evolve } from '../src/kernel/decider.js';
import { EventStore } from '../src/kernel/event-store.js';
import { NewerEvent } from '../src/kernel/upcasting.js';
import { findDeclaredEvents } from './support/declared-events.js';
import { createContext, createEvent } from './support/jar.js';
import { setUpSuiteRegistry } from './support/suite-registry.js';

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

describe('An event recorded by newer code', () => {
  const suite = setUpSuiteRegistry();

  it('is detected because the registry knows every decider and every event type of the code', async () => {
    const { types, deciders } = await findDeclaredEvents();
    expect(suite.registry.deciders.map(({ category }) => category).sort()).toEqual(
      deciders.map(({ category }) => category).sort(),
    );
    expect(Object.keys(suite.registry.versions).sort()).toEqual([...new Set(types)].sort());
  });

  it('stops every decider when its type is unknown', () => {
    for (const decider of suite.registry.deciders) {
      const event = { type: 'SomethingNewer', data: {}, meta: { v: 1 } };
      expect(() => evolve(decider, decider.initial, event)).toThrow(NewerEvent);
    }
  });

  it('stops every decider when its version is newer than the newest version of the decider', () => {
    for (const decider of suite.registry.deciders) {
      for (const [type, v] of Object.entries<number>(decider.versions)) {
        expect(() => evolve(decider, decider.initial, { type, data: {}, meta: { v: v + 1 } })).toThrow(NewerEvent);
      }
    }
  });

  it('stops a command on its stream', async () => {
    await suite.service
      .get(EventStore)
      .append('points-newer', 'none', [createEvent('newer', 'SomethingNewer', { balance: 0 })]);
    const levels = { levels: [], floor: 1 } as never;
    const awarding = suite.service
      .get(Streams)
      .execute(
        pointsDecider,
        'newer',
        { type: 'AwardPoints', award, isKept: false, levelRules: levels, since: null, searched: 0 },
        createContext('award'),
      );
    await expect(awarding).rejects.toMatchObject({ name: 'NewerEvent', maybeWritten: false });
  });
});
