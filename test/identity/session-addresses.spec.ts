import { Streams } from '../../src/engine/streams/streams.js';
import { userDecider } from '../../src/identity/domain/user.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { UserLinks } from '../../src/identity/user-links.js';
import { EventStore } from '../../src/kernel/event-store.js';
import { requireData } from '../support/api.js';
import { ManualClock } from '../support/clock.js';
import { forgetAddress } from '../support/forget.js';
import { readWholeLog } from '../support/read-whole-log.js';
import { type Service, startService } from '../support/service.js';

const A_SECOND_MS = 1_000;
const A_MINUTE_MS = 60_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The session of a token that was issued some time ago. */
interface Session {
  readonly subject: string;
  readonly email: string;
  readonly agoMs: number;
}

const startedAt = Date.now();

async function findUser({ subject, email, agoMs }: Session, of = service) {
  const token = await service.signToken(subject, { email }, new ManualClock(startedAt - agoMs));
  return requireData(await of.createApi(token).get('/v1/auth/me')).user as { id: string; email: string | null };
}

async function countAddressChanges(userId: string): Promise<number> {
  const log = await readWholeLog(service.get(EventStore));
  return log.filter(({ stream, type }) => stream === `user-${userId}` && type.startsWith('UserEmail')).length;
}

describe('A session token that is older than the one that set the address', () => {
  const older = { subject: 'ann', email: 'ann@old.example', agoMs: A_MINUTE_MS };
  const newer = { subject: 'ann', email: 'ann@new.example', agoMs: A_SECOND_MS };

  it('does not move the address back, and shows the present one', async () => {
    const { id } = await findUser(older);
    await findUser(newer);
    for (const session of [older, newer, older, newer])
      expect(await findUser(session)).toEqual({ id, email: newer.email });
    expect(await countAddressChanges(id)).toBe(2);
  });

  it('does not do so in a process that has not seen the later one either', async () => {
    const other = await service.startAnother();
    const { id } = await findUser(older, other);
    for (const session of [older, newer, older])
      expect(await findUser(session, other)).toEqual({ id, email: newer.email });
    await other.close();
    expect(await countAddressChanges(id)).toBe(2);
  });

  it('does not take the address from the user who has it now', async () => {
    const heir = { subject: 'heir', email: older.email, agoMs: A_MINUTE_MS };
    const { id } = await findUser(heir);
    await findUser(older);
    expect(await findUser(heir)).toEqual({ id, email: older.email });
  });
});

describe('Two session tokens of the same second', () => {
  it('change the address to that of the one that is used last, and not back', async () => {
    const [first, second] = ['ben@one.example', 'ben@two.example'].map((email) => ({
      subject: 'ben',
      email,
      agoMs: A_MINUTE_MS,
    })) as [Session, Session];
    const { id } = await findUser(first);
    for (const session of [second, first, second, first])
      expect(await findUser(session)).toEqual({ id, email: second.email });
    expect(await countAddressChanges(id)).toBe(2);
    expect(await findUser({ ...first, agoMs: 0 })).toEqual({ id, email: first.email });
  });
});

describe('The subjects of a linked user with an address each', () => {
  const first = { subject: 'cat-1', email: 'cat@one.example' };
  const second = { subject: 'cat-2', email: 'cat@two.example' };

  it('keep the address that changed last, however often their tokens are renewed', async () => {
    const { id } = await findUser({ ...first, agoMs: 9 * A_MINUTE_MS });
    const other = await findUser({ ...second, email: first.email, agoMs: 9 * A_MINUTE_MS });
    await service.get(UserLinks).link(other.id, id, () => createSystemContext(Date.now()));
    const process = await service.startAnother();
    await findUser({ ...second, agoMs: 8 * A_MINUTE_MS }, process);
    for (const minutes of [7, 6, 5])
      for (const subject of [first, second])
        expect(await findUser({ ...subject, agoMs: minutes * A_MINUTE_MS }, process)).toEqual({
          id,
          email: second.email,
        });
    expect(await countAddressChanges(id)).toBe(2);
    const moved = { ...first, email: 'cat@three.example', agoMs: 4 * A_MINUTE_MS };
    expect(await findUser(moved, process)).toEqual({ id, email: moved.email });
    await process.close();
  });
});

describe('A session token whose address was erased', () => {
  const older = { subject: 'uma', email: 'uma@example.com', agoMs: A_MINUTE_MS };
  /** A token that is issued a second from now. */
  const createLater = () => ({ ...older, agoMs: startedAt - Date.now() - A_SECOND_MS });

  it('gives the address again once when it was issued after the erasure, and else not', async () => {
    const { id } = await findUser(older);
    await forgetAddress(service, older.email);
    const other = await service.startAnother();
    for (const process of [service, other]) await findUser(older, process);
    expect(await countAddressChanges(id)).toBe(1);

    const later = createLater();
    for (const process of [service, other, service]) {
      expect(await findUser(later, process)).toEqual({ id, email: later.email });
      await findUser(older, process);
    }
    await other.close();
    expect(await countAddressChanges(id)).toBe(2);
  });

  it('does not give the address again to a user who was forgotten by id', async () => {
    const one = { ...older, subject: 'vic', email: 'vic@example.com' };
    const { id } = await findUser(one);
    await forgetAddress(service, one.email);
    const command = { type: 'ForgetUser', userId: id } as const;
    await service.get(Streams).execute(userDecider, id, command, createSystemContext(Date.now()));
    await findUser({ ...createLater(), subject: one.subject, email: one.email });
    expect(await countAddressChanges(id)).toBe(1);
  });
});
