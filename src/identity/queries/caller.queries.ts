import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { optionalReference } from '../../kernel/reference.js';
import {
  type DocumentOf,
  enumOf,
  id,
  nullable,
  object,
  personalString,
  ref,
  resource,
  type Schema,
  string,
} from '../../kernel/schema.js';
import type { Caller, CallerContext } from '../caller.js';
import { KEY_ACCESSES } from '../domain/api-key.js';
import { Users } from '../users.js';

/** The address of a session is not encrypted. */
const emailSchema: Schema<EncryptedField | string | null> = { schema: personalString.schema, personal: true };

export const callerSchema = resource('Caller', {
  object: enumOf('caller'),
  actor: object({ type: string, id: string }),
  user: nullable(object({ id: id('usr'), email: emailSchema })),
  business: nullable(ref('business', 'biz')),
  mode: enumOf('live', 'test'),
  access: enumOf(...KEY_ACCESSES),
});

export type CallerDocument = DocumentOf<typeof callerSchema>;

export class RetrieveCaller extends ContextQuery<null, CallerDocument, CallerContext> {}

@QueryHandler(RetrieveCaller)
export class RetrieveCallerHandler implements IQueryHandler<RetrieveCaller> {
  constructor(private readonly users: Users) {}

  async execute({ context: { caller } }: RetrieveCaller): Promise<CallerDocument> {
    const { kind, actor, business, mode, user } = caller;
    return {
      object: 'caller',
      actor,
      user: user && { id: user.id, email: await this.findEmail(user) },
      business: optionalReference('business', business),
      mode,
      access: kind === 'read_only_key' ? 'read_only' : 'full',
    };
  }

  private async findEmail({ id, email }: NonNullable<Caller['user']>): Promise<EncryptedField | string | null> {
    return email ?? (await this.users.find(id))?.email ?? null;
  }
}
