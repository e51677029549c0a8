import { Members } from '../../../src/community/commands/members.steps.js';
import { LOWEST_LEVEL } from '../../../src/community/domain/levels.js';
import { memberIdOf } from '../../../src/community/domain/member.js';
import type { NewMember } from '../../../src/community/domain/member-events.js';
import type { CallerContext } from '../../../src/kernel/caller.js';
import { idOf } from '../../../src/kernel/ids.js';
import { foundCommunity } from '../client-commands.js';
import { Visitors } from './visitors.js';

/** Simulated clients of a community of their own. */
export abstract class CommunityVisitors extends Visitors {
  /** Returns the id of a new community; null when the request stayed without a response. */
  protected async found(name: string): Promise<string | null> {
    const founded = await this.request(`found ${name}`, async (process, context) => {
      await foundCommunity().execute(process, context);
      return idOf('com', context.at, context.commandId);
    });
    return founded?.value ?? null;
  }

  /** Returns the new member; null when the request stayed without a response. */
  protected async joinCommunity(communityId: string, userId: string): Promise<NewMember | null> {
    const memberId = memberIdOf(communityId, userId);
    const member = { memberId, communityId, userId, email: null, role: 'member', minimumLevel: LOWEST_LEVEL } as const;
    const joined = await this.request(`${userId} joins`, (process, context) =>
      process.get(Members).join(member, context),
    );
    return joined && member;
  }
}

/** Returns the context of the session of a user. */
export function toSession(context: CallerContext, userId: string): CallerContext {
  const actor = { type: 'user', id: userId } as const;
  const user = { id: userId, email: null };
  return {
    ...context,
    actor,
    business: null,
    caller: { ...context.caller, kind: 'session', actor, user, business: null },
  };
}
