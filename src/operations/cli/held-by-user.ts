import { memberDecider } from '../../community/domain/member.js';
import { members } from '../../community/projections/members.js';
import { businessDecider } from '../../identity/domain/business.js';
import { businesses } from '../../identity/projections/businesses.js';
import type { EventStore } from '../../kernel/event-store.js';
import { foldFromLog } from './fold-from-log.js';

/** Lists what only this user can reach: its businesses, and the communities that it is a member of. */
export async function listHeld(userId: string, store: EventStore): Promise<string[]> {
  const [owned, memberships] = [
    await foldFromLog(businesses, businessDecider.category, store),
    await foldFromLog(members, memberDecider.category, store),
  ];
  const joined = memberships.filter(({ status }) => status === 'active' || status === 'pending');
  return [
    ...owned.filter(({ owner }) => owner.id === userId).map(({ id }) => id),
    ...joined.filter(({ user }) => user.id === userId).map(({ community }) => community.id),
  ];
}
