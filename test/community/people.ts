import { enrol } from '../../src/community/commands/enrolment.js';
import type { Role } from '../../src/community/domain/member.js';
import { Personal } from '../../src/engine/sealing/personal.js';
import { Streams } from '../../src/engine/streams/streams.js';
import { identityContext } from '../../src/identity/identity-context.js';
import { Users } from '../../src/identity/users.js';
import { dataOf, type Api, type Reply } from '../support/api.js';
import type { Service } from '../support/service.js';

const JOINED_AT = Date.parse('2026-02-01T09:00:00.000Z');

/** Returns the API client of a user who signs in with this name and a verified address. */
export async function signedIn(service: Service, name: string): Promise<Api> {
  return service.api(await service.token(name, { email: addressOf(name) }));
}

export function addressOf(name: string): string {
  return `${name}@example.com`;
}

/** Adds a signed-in user to the community and returns the user's API client. */
export async function joined(service: Service, communityId: string, name: string, role: Role, floor = 1): Promise<Api> {
  const api = await signedIn(service, name);
  const userId = await service.get(Users).ofSubject(name, addressOf(name));
  const email = await service.get(Personal).sealEmail(addressOf(name));
  const joining = { memberId: `mem_${name}_${communityId}`, communityId, userId, email, role, floor };
  await enrol(service.get(Streams), joining, identityContext(JOINED_AT));
  return api;
}

export async function created(api: Api, body: object = { name: 'Potters' }): Promise<Reply['body']> {
  return dataOf(await api.post('/v1/community/communities', body));
}

export function refusalOf({ status, body }: Reply): object {
  return { status, code: body.code, fields: body.errors.map(({ field }: { field?: string }) => field) };
}
