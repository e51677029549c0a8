import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { isEmail } from 'class-validator';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { normaliseEmail } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';
import { CommunityAccess } from '../community-access.js';
import { type ImportError, type ImportRow, memberImportDecider } from '../domain/member-import.js';
import { type MemberImportDocument, memberImports } from '../projections/member-imports.js';
import { MemberImports } from './member-imports.steps.js';

const MAX_EMAIL_CHARACTERS = 254;
const MAX_LEVEL = 100;

/** A row as it was sent. Its values are not validated yet: an invalid row fails alone. */
export interface SentRow {
  readonly email?: unknown;
  readonly level?: unknown;
  readonly role?: unknown;
}

export class ImportMembers extends ContextCommand<
  { communityId: string; rows: readonly SentRow[] },
  MemberImportDocument,
  CallerContext
> {}

@CommandHandler(ImportMembers)
export class ImportMembersHandler implements ICommandHandler<ImportMembers> {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
    private readonly personal: PersonalFields,
    private readonly imports: MemberImports,
  ) {}

  async execute({ context: request, params: { communityId, rows } }: ImportMembers): Promise<MemberImportDocument> {
    const { context } = await this.access.require(communityId, request, 'manage');
    const importId = idOf('imp', context.at, context.commandId);
    const command = {
      type: 'RequestImport',
      request: { importId, communityId, rows: await this.readRows(rows) },
    } as const;
    await this.streams.execute(memberImportDecider, importId, command, context);
    await this.imports.run(importId, context);
    return (await this.streams.loadDocument(memberImportDecider, importId, memberImports))!;
  }

  private async readRows(sent: readonly SentRow[]): Promise<readonly ImportRow[]> {
    const seen = new Set<string>();
    const rows: ImportRow[] = [];
    for (const [index, row] of sent.entries()) {
      const email = await this.personal.sealEmail(typeof row.email === 'string' ? normaliseEmail(row.email) : '');
      const error = findError(row, index, seen.has(email.hash));
      if (error === null) seen.add(email.hash);
      rows.push(error === null ? { email, ...toValues(row), error } : { email, level: null, role: null, error });
    }
    return rows;
  }
}

function toValues({ level, role }: SentRow): Pick<ImportRow, 'level' | 'role'> {
  return { level: (level ?? null) as number | null, role: (role ?? null) as ImportRow['role'] };
}

function findError({ email, level, role }: SentRow, index: number, isDuplicate: boolean): ImportError | null {
  const at = (name: string) => `members[${index}].${name}`;
  if (typeof email !== 'string' || email.trim().length > MAX_EMAIL_CHARACTERS || !isEmail(email.trim()))
    return { code: 'invalid_email', detail: 'Not an e-mail address.', field: at('email') };
  if (isGiven(level) && !(Number.isInteger(level) && (level as number) >= 1 && (level as number) <= MAX_LEVEL))
    return {
      code: 'invalid_level',
      detail: `The level must be an integer from 1 to ${MAX_LEVEL}.`,
      field: at('level'),
    };
  if (isGiven(role) && role !== 'moderator' && role !== 'member')
    return { code: 'invalid_role', detail: 'The role must be moderator or member.', field: at('role') };
  if (isDuplicate)
    return { code: 'duplicate_in_request', detail: 'An earlier row has this address.', field: at('email') };
  return null;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
