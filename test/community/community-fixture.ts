import type { Api } from '../support/api.js';
import { type Service, startService, type TestBusiness } from '../support/service.js';
import { createCommunity, joinAs } from './community-users.js';

/** A service with a community of a business, its key, a moderator `mo` and a member `mary`. */
export interface CommunityFixture {
  readonly service: Service;
  readonly business: TestBusiness;
  /** The secret key of the business: it acts as the owner. */
  readonly key: Api;
  readonly moderator: Api;
  readonly member: Api;
  /** The community's id. */
  readonly community: string;
  /** The path of the community. */
  readonly path: string;
}

/** Starts a service, and creates a community in it. */
export async function startCommunity({ memberLevel = 1 } = {}): Promise<CommunityFixture> {
  const service = await startService();
  const business = await service.createBusiness();
  const key = service.createApi(await service.createKey(business));
  return { service, business, key, ...(await populateCommunity(service, key, memberLevel)) };
}

/** Creates a community with a moderator and a member. */
export async function populateCommunity(service: Service, key: Api, memberLevel = 1) {
  const { id: community } = await createCommunity(key);
  const moderator = await joinAs(service, community, 'mo', 'moderator');
  const member = await joinAs(service, community, 'mary', 'member', memberLevel);
  return { community, path: `/v1/community/communities/${community}`, moderator, member };
}
