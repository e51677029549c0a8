import { enrol } from '../../../src/community/commands/enrolment.js';
import { credit } from '../../../src/community/commands/crediting.js';
import { community } from '../../../src/community/domain/community.js';
import { member } from '../../../src/community/domain/member.js';
import { points, type Award } from '../../../src/community/domain/points.js';
import { pointsSource, pointsSourceId } from '../../../src/community/domain/points-source.js';
import { EnrolFounders } from '../../../src/community/processes/enrol-founders.js';
import { AwardReservedPoints } from '../../../src/community/processes/award-reserved-points.js';
import { contextOf } from '../../support/jar.js';
import { after } from '../../support/memory/faulty-event-store.js';
import { House } from '../../support/memory/house.js';
import { award, founding, joining } from '../facts.js';

async function begun() {
  const house = new House();
  const { streams } = house.process({});
  await streams.execute(community, 'com_1', { type: 'CreateCommunity', ...founding }, contextOf('create'));
  return { house, streams, created: house.store.log.at(-1)! };
}

const types = (house: House) => house.store.log.map(({ type }) => type);

describe('A community after an interrupted CreateCommunity', () => {
  it('gets its founder as a member from the process', async () => {
    const { streams, created } = await begun();

    await new EnrolFounders(streams).react(created);

    expect(await streams.state(member, 'mem_1')).toMatchObject({ status: 'active', userId: 'usr_1', role: 'owner', floor: 1 });
  });

  it('gets its founder once when request and processes repeat the steps', async () => {
    const { house, streams, created } = await begun();

    await new EnrolFounders(streams).react(created);
    await enrol(streams, joining, contextOf('create'));
    await new EnrolFounders(house.process({}, 'process 2').streams).react(created);

    expect(types(house)).toEqual(['CommunityCreated', 'MembershipClaimed', 'MembershipClaimed', 'MemberJoined']);
  });

  it('records the caller of the command as the actor of every step', async () => {
    const { house, streams, created } = await begun();

    await new EnrolFounders(streams).react(created);

    expect(new Set(house.store.log.map(({ meta }) => JSON.stringify([meta.actor, meta.correlationId, meta.causationId]))).size).toBe(1);
  });
});

describe('An award after an interrupted AwardPoints', () => {
  async function reserved() {
    const { house, streams } = await begun();
    await enrol(streams, joining, contextOf('create'));
    await streams.execute(pointsSource, pointsSourceId(award), { type: 'ReservePoints', award }, contextOf('award'));
    return { house, streams, reservation: house.store.log.at(-1)! };
  }

  it('is entered in the ledger by the process', async () => {
    const { streams, reservation } = await reserved();

    await new AwardReservedPoints(streams).react(reservation);

    expect(await streams.state(points, 'mem_1')).toMatchObject({ balance: 50, entries: 1 });
  });

  it('is entered once when a thousand other awards are entered during its paused append', async () => {
    const { house, streams, reservation } = await reserved();
    house.store.faults.push(
      after(async () => {
        const { streams } = house.process({}, 'process 2');
        await new AwardReservedPoints(streams).react(reservation);
        for (let n = 0; n < 1_001; n++) await credit(streams, { ...award, awardId: `pta_by_hand_${n}` }, contextOf(`by hand ${n}`), null);
      }),
    );

    const entry = await credit(streams, award, contextOf('award'), reservation);

    expect(house.store.log.filter(({ type, data }) => type === 'PointsAwarded' && (data as Award).awardId === 'pta_1')).toEqual([entry]);
  });

  it('is entered once when request and processes repeat the step', async () => {
    const { house, streams, reservation } = await reserved();

    await new AwardReservedPoints(streams).react(reservation);
    await credit(streams, award, contextOf('award'), reservation);
    await credit(streams, award, contextOf('award, asked again'), reservation);
    await new AwardReservedPoints(house.process({}, 'process 2').streams).react(reservation);

    expect(types(house).filter((type) => type === 'PointsAwarded')).toHaveLength(1);
  });
});
