import { challengeDecider } from '../../../src/community/domain/challenge.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { toIso } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { newChallenge } from '../../community/challenge-facts.js';
import { type CommunityFixture, startCommunity } from '../../community/community-fixture.js';
import { emailFor } from '../../community/community-users.js';
import { recordInvite } from '../../community/recorded-invite.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { ManualClock, SeededRandom } from '../../support/clock.js';
import { Receiver } from '../../support/receiver.js';
import { ReceivedEvents } from '../received-events.js';

const SOON_MS = 300;

/** The clock ends challenges and invites by real time, because a community works in live mode. */
describe('The publication of what the clock does', () => {
  let fixture: CommunityFixture;
  let receiver: Receiver;
  let received: ReceivedEvents;
  beforeAll(async () => {
    receiver = await Receiver.start();
    fixture = await startCommunity();
    received = await ReceivedEvents.subscribe(fixture.key, receiver, '/all', ['*']);
  });
  afterAll(async () => {
    await receiver.stop();
    await fixture.service.stop();
  });

  const soon = (times = 1) => toIso(Date.now() + times * SOON_MS);

  async function createChallenge(path: string, content: object): Promise<ApiResponse['body']> {
    const body = { title: 'Pots', goal_type: 'posts', goal_target: 2, ...content };
    return requireData(await fixture.key.post(`${path}/challenges`, body));
  }

  async function retrieve(id: string): Promise<ApiResponse['body']> {
    return requireData(await fixture.key.get(`/v1/community/challenges/${id}`));
  }

  /** Records an event as a version without timers did: at a time long ago, and by nobody who waits for it. */
  async function recordOldChallenge(challengeId: string, communityId: string): Promise<void> {
    const challenge = { ...newChallenge, challengeId, communityId };
    const at = Date.parse('2026-01-01T00:00:00.000Z');
    const streams = new Streams(fixture.service.get(EventStore), new ManualClock(at), new SeededRandom(1));
    const command = { type: 'CreateChallenge', challenge } as const;
    await streams.execute(challengeDecider, challengeId, command, createSystemContext(at));
  }

  it('tells that a challenge has started and ended, with its status before and after', async () => {
    const { id } = await createChallenge(fixture.path, { starts_at: soon(), ends_at: soon(3) });
    const started = await received.waitForOne('community.challenge.started', id);
    expect(started.data).toMatchObject({ status: 'active', participant_count: 0 });
    expect(started.changes).toEqual({ status: { before: 'scheduled', after: 'active' } });

    const ended = await received.waitForOne('community.challenge.ended', id);
    expect(ended.data).toEqual(await retrieve(id));
    expect(ended.changes).toEqual({ status: { before: 'active', after: 'ended' } });
    expect(ended.sequence).toBeGreaterThan(started.sequence);
  });

  it('follows the dates of an edit, and tells nothing of a cancelled challenge', async () => {
    const moved = await createChallenge(fixture.path, { ends_at: '2099-01-01T00:00:00.000Z' });
    const cancelled = await createChallenge(fixture.path, { ends_at: soon() });
    requireData(await fixture.key.delete(`/v1/community/challenges/${cancelled.id}`));
    requireData(await fixture.key.patch(`/v1/community/challenges/${moved.id}`, { ends_at: soon(2) }));
    await received.waitForOne('community.challenge.ended', moved.id);
    expect(received.list('community.challenge.ended', cancelled.id)).toEqual([]);
    expect(received.list('community.challenge.started', moved.id)).toEqual([]);
  });

  it('tells that an invite has expired, unless it was answered', async () => {
    const [open, revoked] = await Promise.all(
      ['ida', 'rob'].map(async (name) =>
        requireData(await fixture.key.post(`${fixture.path}/invites`, { email: emailFor(name), expires_at: soon(2) })),
      ),
    );
    requireData(await fixture.key.delete(`/v1/community/invites/${revoked.id}`));
    const { data, changes } = await received.waitForOne('community.invite.expired', open.id);
    expect(data).toEqual({ ...open, status: 'expired' });
    expect(changes).toEqual({ status: { before: 'pending', after: 'expired' } });
    expect(received.list('community.invite.expired', revoked.id)).toEqual([]);
  });

  it('ends invites of an archived community, and waits with its challenges', async () => {
    const { id } = requireData(await fixture.key.post('/v1/community/communities', { name: 'Weavers' }));
    const path = `/v1/community/communities/${id}`;
    const held = await createChallenge(path, { ends_at: soon() });
    const email = emailFor('ann');
    const invite = requireData(await fixture.key.post(`${path}/invites`, { email, expires_at: soon() }));
    requireData(await fixture.key.post(`${path}/archive`));
    const later = await createChallenge(fixture.path, { ends_at: soon(2) });
    await received.waitForOne('community.challenge.ended', later.id);
    expect(received.list('community.challenge.ended', held.id)).toEqual([]);
    await received.waitForOne('community.invite.expired', invite.id);

    requireData(await fixture.key.patch(path, { status: 'active' }));
    await received.waitForOne('community.challenge.ended', held.id);
  });

  it('ends what an older version recorded', async () => {
    await recordOldChallenge('chal_old', fixture.community);
    const expiresAt = '2026-01-02T00:00:00.000Z';
    const inviteId = await recordInvite(fixture.service, fixture.community, 'old', { expiresAt });
    const { changes } = await received.waitForOne('community.challenge.ended', 'chal_old');
    expect(changes).toEqual({ status: { before: 'active', after: 'ended' } });
    await received.waitForOne('community.invite.expired', inviteId);
    expect(received.list('community.challenge.started', 'chal_old')).toEqual([]);
  });
});
