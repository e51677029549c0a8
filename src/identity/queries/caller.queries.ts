import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import type { Caller, CallerContext } from '../../kernel/caller.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { optionalReference } from '../../kernel/reference.js';
import {
  boolean,
  type DocumentOf,
  enumOf,
  id,
  nullable,
  object,
  optional,
  personalString,
  ref,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import { KEY_ACCESSES } from '../domain/api-key.js';
import { Users } from '../users.js';

/** The address of a session is not encrypted. */
const emailSchema: Schema<EncryptedField | string | null> = { schema: personalString.schema, personal: true };

export const callerSchema = resource('Caller', {
  object: enumOf('caller'),
  actor: object({ type: string, id: string }),
  user: nullable(object({ id: id('usr'), email: emailSchema, email_conflict: optional(boolean) })),
  business: nullable(ref('business', 'biz')),
  mode: enumOf('live', 'test'),
  access: enumOf(...KEY_ACCESSES),
});

export type CallerDocument = DocumentOf<typeof callerSchema>;

export class RetrieveCaller extends ContextQuery<null, CallerDocument, CallerContext> {}

@QueryHandler(RetrieveCaller)
export class RetrieveCallerHandler implements IQueryHandler<RetrieveCaller> {
  constructor(
    private readonly users: Users,
    private readonly personal: PersonalFields,
  ) {}

  async execute({ context: { caller } }: RetrieveCaller): Promise<CallerDocument> {
    const { kind, actor, business, mode, user } = caller;
    return {
      object: 'caller',
      actor,
      user: user && { id: user.id, ...(await this.findEmail(user)) },
      business: optionalReference('business', business),
      mode,
      access: kind === 'read_only_key' ? 'read_only' : 'full',
    };
  }

  /** The address of a session is in conflict when another user has it. */
  private async findEmail({ id, email }: NonNullable<Caller['user']>) {
    const known = (await this.users.find(id))?.email ?? null;
    if (email === null) return { email: known };
    return known?.hash === this.personal.hash(email) ? { email } : { email: null, email_conflict: true };
  }
}
