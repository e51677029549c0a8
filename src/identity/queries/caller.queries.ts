import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { ACTOR_ID, ACTOR_TYPE } from '../../kernel/actor-schema.js';
import type { Caller, CallerContext } from '../../kernel/caller.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { optionalReference } from '../../kernel/reference.js';
import {
  boolean,
  describe,
  type DocumentOf,
  enumOf,
  id,
  KIND,
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
  object: describe(enumOf('caller'), KIND),
  actor: describe(
    object({
      type: describe(string, ACTOR_TYPE, 'api_key'),
      id: describe(string, ACTOR_ID, 'key_01kg9p6je0grr0rycz01afc5br'),
    }),
    'The actor of the events that the caller causes.',
  ),
  user: describe(
    nullable(
      object({
        id: describe(id('usr'), 'The id of the user, the same for all sessions of the person.'),
        email: describe(
          emailSchema,
          'The e-mail address of the user; null when it is unknown, forgotten or that of another user.',
          'ada@example.com',
        ),
        email_conflict: describe(
          optional(boolean),
          'True when another user has the e-mail address of the session; left out otherwise.',
          true,
        ),
      }),
    ),
    'The user of the session or of the API key; null for another credential.',
  ),
  business: describe(
    nullable(ref('business', 'biz')),
    'The business that the caller acts for; null for a session that names none.',
  ),
  mode: describe(enumOf('live', 'test'), 'Whether the caller works with live data or with test data.'),
  access: describe(
    enumOf(...KEY_ACCESSES),
    'Whether the caller may read and write (`full`) or only read (`read_only`).',
  ),
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
