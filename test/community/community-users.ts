import { Members } from '../../src/community/commands/members.steps.js';
import type { Role } from '../../src/community/domain/member-events.js';
import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import { createSystemContext } from '../../src/identity/system-context.js';
import { Users } from '../../src/identity/users.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';
import type { Service } from '../support/service.js';

const JOINED_AT = Date.parse('2026-02-01T09:00:00.000Z');

/** Returns the API client of a user who signs in with this name and a verified address. */
export async function signIn(service: Service, name: string): Promise<Api> {
  return service.createApi(await service.signToken(name, { email: emailFor(name) }));
}

export function emailFor(name: string): string {
  return `${name}@example.com`;
}

/** Adds a signed-in user to the community and returns the user's API client. */
export async function joinAs(
  service: Service,
  communityId: string,
  name: string,
  role: Role,
  minimumLevel = 1,
): Promise<Api> {
  const api = await signIn(service, name);
  const userId = await service.get(Users).resolveSubject(name, emailFor(name));
  const email = await service.get(PersonalFields).encryptEmail(emailFor(name));
  const newMember = { memberId: `mem_${name}_${communityId}`, communityId, userId, email, role, minimumLevel };
  await service.get(Members).join(newMember, createSystemContext(JOINED_AT));
  return api;
}

export async function createCommunity(api: Api, body: object = { name: 'Potters' }): Promise<ApiResponse['body']> {
  return requireData(await api.post('/v1/community/communities', body));
}

export function toProblem({ status, body }: ApiResponse): object {
  return { status, code: body.code, fields: body.errors.map(({ field }: { field?: string }) => field) };
}
