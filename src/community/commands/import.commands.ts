import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { PersonalFields } from '../../engine/encryption/personal-fields.js';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { normaliseEmail } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';
import { MAX_EMAIL_CHARACTERS } from '../../kernel/text.js';
import { isEmailAddress } from '../../mail/email-address.js';
import { CommunityAccess } from '../access/community-access.js';
import { type ImportError, type ImportRow, memberImportDecider, type ValidRow } from '../domain/member-import.js';
import { type MemberImportDocument, memberImports } from '../projections/member-imports.js';
import { MemberImports } from './member-imports.steps.js';

const MAX_LEVEL = 100;
const MAX_POINTS = 1_000_000;

/** A row as it was sent. Its values are not validated yet: an invalid row fails alone. */
export interface SentRow {
  readonly email?: unknown;
  readonly level?: unknown;
  readonly role?: unknown;
  readonly points?: unknown;
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
    const document = await this.streams.loadDocument(memberImportDecider, importId, memberImports);
    return repeatTexts(document!, rows);
  }

  private async readRows(sent: readonly SentRow[]): Promise<readonly ImportRow[]> {
    const seen = new Set<string>();
    const rows: ImportRow[] = [];
    for (const [index, row] of sent.entries()) {
      const email = isAddress(row.email) ? await this.personal.encryptEmail(normaliseEmail(row.email)) : null;
      const error = findError(row, index, email !== null && seen.has(email.hash));
      if (email === null || error !== null) rows.push({ email, level: null, role: null, error: error! });
      else {
        seen.add(email.hash);
        rows.push({ email, ...toValues(row), error });
      }
    }
    return rows;
  }
}

/** The answer shows what the caller sent in place of an address. It is recorded nowhere. */
function repeatTexts(document: MemberImportDocument, sent: readonly SentRow[]): MemberImportDocument {
  const results = document.results.map((result) => {
    const text = sent[result.index]!.email;
    return result.email === null && typeof text === 'string' ? { ...result, email: text } : result;
  });
  return { ...document, results };
}

function toValues({ level, role, points }: SentRow): Pick<ValidRow, 'level' | 'role' | 'points'> {
  const given = isGiven(points) && { points: points as number };
  return { level: (level ?? null) as number | null, role: (role ?? null) as ValidRow['role'], ...given };
}

function findError({ email, level, role, points }: SentRow, index: number, isDuplicate: boolean): ImportError | null {
  const at = (name: string) => `members[${index}].${name}`;
  if (!isAddress(email)) return { code: 'invalid_email', detail: 'Not an e-mail address.', field: at('email') };
  if (isGiven(level) && !isIntegerWithin(level, 1, MAX_LEVEL))
    return {
      code: 'invalid_level',
      detail: `The level must be an integer from 1 to ${MAX_LEVEL}.`,
      field: at('level'),
    };
  if (isGiven(role) && role !== 'moderator' && role !== 'member')
    return { code: 'invalid_role', detail: 'The role must be moderator or member.', field: at('role') };
  if (isGiven(points) && !isIntegerWithin(points, 0, MAX_POINTS))
    return {
      code: 'invalid_points',
      detail: `The points must be an integer from 0 to ${MAX_POINTS}.`,
      field: at('points'),
    };
  if (isDuplicate)
    return { code: 'duplicate_in_request', detail: 'An earlier row has this address.', field: at('email') };
  return null;
}

function isAddress(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const address = text.trim();
  return address.length <= MAX_EMAIL_CHARACTERS && isEmailAddress(address);
}

function isIntegerWithin(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
