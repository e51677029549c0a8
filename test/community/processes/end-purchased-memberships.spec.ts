import { Members } from '../../../src/community/commands/members.steps.js';
import { memberIdOf } from '../../../src/community/domain/member.js';
import { PersonalFields } from '../../../src/engine/encryption/personal-fields.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { Users } from '../../../src/identity/users.js';
import type { Api } from '../../support/api.js';
import { emailFor, signIn } from '../community-users.js';
import {
  expectRemoval,
  joinPaid,
  ONE_TIME,
  type PaidCommunityFixture,
  startPaidCommunities,
} from '../paid-community-fixture.js';

describe('A join that was recorded after the end of the purchase that allowed it', () => {
  let paid: PaidCommunityFixture;
  let product: string;
  let path: string;
  beforeAll(async () => {
    paid = await startPaidCommunities();
    product = await paid.createProduct(ONE_TIME);
    path = await paid.createPaid(product);
  });
  afterAll(() => paid.service.stop());

  const readMember = async (name: string) => {
    const communityId = path.split('/').at(-1)!;
    const userId = await paid.service.get(Users).resolveSubject(name, emailFor(name));
    const email = await paid.service.get(PersonalFields).encryptEmail(emailFor(name));
    return { memberId: memberIdOf(communityId, userId), communityId, userId, email };
  };

  const createContext = () => ({ ...createSystemContext(Date.now()), business: paid.business.id });

  /** Records the join as a request does that has found the purchase before it ended. */
  const recordJoin = async (name: string, purchased = true): Promise<Api> => {
    const user = await signIn(paid.service, name);
    const member = { ...(await readMember(name)), role: 'member', minimumLevel: 1, purchased } as const;
    await paid.service.get(Members).join(member, createContext());
    return user;
  };

  it('is undone', async () => expectRemoval(await recordJoin('ann'), path));

  it('is undone for a member who returns', async () => {
    const order = await paid.buy('rex', product);
    const rex = await signIn(paid.service, 'rex');
    expect(await joinPaid(rex, path)).toBe(201);
    await paid.refund(order);
    await expectRemoval(rex, path);

    const { memberId } = await readMember('rex');
    const { recorded } = await paid.service
      .get(Members)
      .change(memberId, { type: 'RejoinCommunity', purchased: true }, createContext());
    expect(recorded.map(({ type }) => type)).toEqual(['MemberRejoined']);
    await expectRemoval(rex, path);
  });

  it('leaves the members who have a purchase or another reason', async () => {
    await paid.buy('bob', product);
    const bob = await signIn(paid.service, 'bob');
    expect(await joinPaid(bob, path)).toBe(201);
    const ivy = await recordJoin('ivy', false);
    await expectRemoval(await recordJoin('zoe'), path);
    for (const member of [bob, ivy]) expect((await member.get(`${path}/members`)).status).toBe(200);
  });
});
