import { inviteDecider, type NewInvite } from '../../src/community/domain/invite.js';
import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { DAY_MS, SystemRandom, toIso } from '../../src/kernel/clock.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { ManualClock } from '../support/clock.js';
import type { Service } from '../support/service.js';
import { emailFor } from './community-users.js';

const AGE_MS = 120_000;
let recorded = 0;

/** Records an invite of two minutes ago, which can be resent at once. Returns its id. */
export async function recordInvite(
  service: Service,
  communityId: string,
  name: string,
  terms: Partial<NewInvite> = {},
): Promise<string> {
  const at = Date.now() - AGE_MS;
  const inviteId = `invt_recorded${++recorded}`;
  const email = await service.get(PersonalFields).encryptEmail(emailFor(name));
  const invite: NewInvite = {
    inviteId,
    communityId,
    email,
    role: 'member',
    level: 1,
    message: null,
    expiresAt: toIso(at + DAY_MS),
    invitedBy: 'usr_0',
    ...terms,
  };
  const streams = new Streams(service.get(EventStore), new ManualClock(at), new SystemRandom());
  await streams.execute(
    inviteDecider,
    inviteId,
    { type: 'IssueInvite', invite, role: 'owner' },
    createSystemContext(at),
  );
  return inviteId;
}
