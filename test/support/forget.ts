import { PersonalFields } from '../../src/engine/encryption/personal-fields.js';
import type { Streams } from '../../src/engine/streams/streams.js';
import { subjectDecider } from '../../src/identity/domain/subject.js';
import { Subjects } from '../../src/identity/subjects.js';
import { createOperatorContext } from '../../src/identity/system-context.js';
import type { Service } from './service.js';

type Services = Pick<Service, 'get'>;

/** Forgets an address everywhere, as `subjects forget --email` does when nothing may charge the person. */
export async function forgetAddress(service: Services, email: string): Promise<void> {
  const personal = service.get(PersonalFields);
  const address = { subject: personal.subjectOf(email), hash: personal.hash(email) };
  await service.get(Subjects).forgetAddress(address, createOperatorContext(Date.now()));
}

/** Forgets the address for one buyer alone. Charges and open sales are left to the reactors. */
export async function forgetBuyer(service: Services, email: string, buyerId: string): Promise<void> {
  const subjects = service.get(Subjects);
  await subjects.forget(await subjects.findScoped(email, buyerId), createOperatorContext(Date.now()));
}

/** Records that a subject is forgotten, as a crash before the destruction of the key leaves it. */
export async function recordErasure(streams: Streams, subjectId: string): Promise<void> {
  const command = { type: 'ForgetSubject', subjectId } as const;
  await streams.execute(subjectDecider, subjectId, command, createOperatorContext(Date.now()));
}
