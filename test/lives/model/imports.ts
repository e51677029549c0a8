import type { Caller } from './access.js';
import type { Community } from './communities.js';
import type { Member } from './members.js';
import { type Model, OK, type Outcome } from './model.js';
import { type Fields, nameOf, Open, refer, SOME_TEXT, type Template } from './template.js';

interface Row {
  readonly level?: number;
  readonly role?: 'moderator';
}

/** The contract does not say how a member who had left counts. */
const CREATED_OR_UPDATED = new Open((value) => value === 'created' || value === 'updated');

/** Imports of members by the seller. */
export class Imports {
  constructor(private readonly model: Model) {}

  /** Imports one address. */
  run(
    community: Community,
    caller: Caller,
    email: string,
    row: Row,
  ): { readonly outcome: Outcome; readonly result: Fields | null } {
    const refused = this.model.access.findRefusal(community, caller, 'manage');
    if (refused !== null) return { outcome: refused, result: null };
    return { outcome: OK, result: this.runRow(community, email, row) };
  }

  private runRow(community: Community, email: string, row: Row): Fields {
    const user = this.model.people.findOrImport(email);
    const member = this.model.members.find(community, user);
    if (member?.role === 'owner') return this.renderFailed(community, email, 'owner_protected');
    if (member?.status === 'banned') return this.renderFailed(community, email, 'banned_member');
    const [status, imported] = this.enter(community, user, member, row);
    const ids = { user_id: nameOf(user.key), member_id: nameOf(imported.key), error: null };
    return this.renderResult(community, status, { email, ...ids });
  }

  private renderFailed(community: Community, email: string, code: string): Fields {
    const error = { code, detail: SOME_TEXT, field: SOME_TEXT };
    return this.renderResult(community, 'failed', { email, user_id: ANY_ID, member_id: ANY_ID, error });
  }

  private enter(
    community: Community,
    user: Parameters<typeof this.model.members.enter>[1],
    member: Member | undefined,
    { level, role }: Row,
  ): [Template, Member] {
    const { members } = this.model;
    if (member?.status === 'active' || member?.status === 'pending') {
      const isSame = (level ?? member.floor) === member.floor && (role ?? member.role) === member.role;
      members.keep(member, { floor: level ?? member.floor, role: role ?? member.role });
      return [isSame ? 'unchanged' : 'updated', member];
    }
    const entry = { via: 'import', floor: level ?? 1, role: role ?? 'member' } as const;
    const entered = members.enter(community, user, entry, user.subject === null ? 'pending' : 'active');
    return [member === undefined ? 'created' : CREATED_OR_UPDATED, entered];
  }

  private renderResult(community: Community, status: Template, row: Fields): Fields {
    const count = (wanted: string): Template =>
      status instanceof Open ? new Open((value) => value === 0 || value === 1) : Number(status === wanted);
    return {
      ...{ id: SOME_TEXT, object: 'member_import', community: refer('community', community.key), total: 1 },
      ...{
        created: count('created'),
        updated: count('updated'),
        unchanged: count('unchanged'),
        failed: count('failed'),
      },
      results: [{ index: 0, status, ...row }],
      created_at: this.model.now,
    };
  }
}

const ANY_ID = new Open((value) => value === null || typeof value === 'string');
