import { CommunityAccess } from '../../../src/community/access/community-access.js';
import { Invites } from '../../../src/community/commands/invites.steps.js';
import { Members } from '../../../src/community/commands/members.steps.js';
import { inviteAddressClaims, inviteAddressIdOf, inviteDecider } from '../../../src/community/domain/invite.js';
import { memberDecider } from '../../../src/community/domain/member.js';
import { AdmitInvitees } from '../../../src/community/processes/admit-invitees.js';
import type { Streams } from '../../../src/engine/streams/streams.js';
import { createContext } from '../../support/jar.js';
import { TestCluster } from '../../support/memory/test-cluster.js';
import { address, NOW } from '../facts.js';

const invite = {
  inviteId: 'invt_1',
  communityId: 'com_1',
  email: address,
  role: 'moderator',
  level: 3,
  message: null,
  expiresAt: '2100-01-01T00:00:00.000Z',
  invitedBy: 'usr_1',
} as const;
const member = {
  memberId: 'mem_2',
  communityId: 'com_1',
  userId: 'usr_2',
  email: address,
  role: 'moderator',
  minimumLevel: 3,
} as const;

const createInvites = (streams: Streams) => new Invites(streams, new CommunityAccess(streams), new Members(streams));

async function acceptInvite() {
  const cluster = new TestCluster();
  const { streams } = cluster.createProcess({});
  const issue = { type: 'IssueInvite', invite, role: 'owner' } as const;
  await streams.execute(inviteDecider, 'invt_1', issue, createContext('issue'));
  const accept = { type: 'AcceptInvite', admission: { member, wasMember: false } } as const;
  await streams.execute(inviteDecider, 'invt_1', accept, createContext('accept'));
  const react = (process: string) =>
    new AdmitInvitees(createInvites(cluster.createProcess({}, process).streams)).react(
      cluster.store.log.find(({ type }) => type === 'InviteAccepted') as Parameters<AdmitInvitees['react']>[0],
    );
  return { cluster, streams, react };
}

describe('An invitee after an interrupted AcceptInvite', () => {
  it('becomes a member once when several processes finish it', async () => {
    const { cluster, streams, react } = await acceptInvite();

    for (const process of ['process 2', 'process 3']) await react(process);

    expect(await streams.loadState(memberDecider, 'mem_2')).toMatchObject({
      status: 'active',
      role: 'moderator',
      minimumLevel: 3,
    });
    expect(cluster.store.log.slice(2).map(({ type }) => type)).toEqual([
      'MembershipClaimed',
      'MembershipClaimed',
      'MemberJoined',
    ]);
  });

  it('does not return when the member has left before the process runs again', async () => {
    const { streams, react } = await acceptInvite();
    await react('process 2');
    await new Members(streams).change('mem_2', { type: 'LeaveCommunity' }, createContext('leave'));

    await react('process 3');

    expect(await streams.loadState(memberDecider, 'mem_2')).toMatchObject({ status: 'removed' });
  });
});

describe('An address that a crash left without its invite', () => {
  it('gets the invite of the next command', async () => {
    const { streams } = new TestCluster().createProcess({});
    const addressId = inviteAddressIdOf('com_1', address.hash);
    await streams.execute(inviteAddressClaims, addressId, { type: 'Claim', ownerId: 'invt_0' }, createContext('lost'));

    const found = await createInvites(streams).findOrClaim(invite, { ...createContext('next'), at: Date.parse(NOW) });

    expect(found).toBe('invt_0');
  });
});
