import { ImportMembers, ImportMembersHandler, type SentRow } from '../../../src/community/commands/import.commands.js';
import { Users } from '../../../src/identity/users.js';
import { CommunityVisitors } from './community-visitors.js';

const ADDRESSES = Array.from({ length: 5 }, (_, i) => `guest-${i}@example.com`);
const INVALID_ROW: SentRow = { email: 'no address' };
/** More than the rows whose results are recorded together. */
const MAX_INVALID_ROWS = 110;

/** Simulated clients of a community that imports members, and the imported people, who sign in at any time. */
export class Importers extends CommunityVisitors {
  /** Founds a community; the imports and the first sign-ins come within the next `ms`. */
  start(ms: number): void {
    this.schedule(0, async () => {
      const communityId = await this.found('community with imports');
      if (communityId === null) return;
      for (let left = this.random.integer(1, 2); left > 0; left--)
        this.schedule(this.random.between(0, ms), () => this.import(`import-${left}`, communityId));
      for (const address of ADDRESSES.filter(() => this.random.chance(0.5)))
        this.schedule(this.random.between(0, ms), () => this.signIn(address));
    });
  }

  private async import(name: string, communityId: string): Promise<void> {
    const rows = this.drawRows();
    await this.requestOrGiveUp(name, (process, context) =>
      process.get(ImportMembersHandler).execute(new ImportMembers(context, { communityId, rows })),
    );
  }

  /** Valid rows before and after invalid ones; one address comes twice. */
  private drawRows(): SentRow[] {
    const valid = ADDRESSES.filter(() => this.random.chance(0.6)).map((email) => ({
      email,
      level: this.random.pick([undefined, 2, 3]),
      role: this.random.pick(['member', 'moderator', undefined]),
    }));
    const invalid = Array.from({ length: this.random.pick([1, 1, MAX_INVALID_ROWS]) }, () => INVALID_ROW);
    const middle = Math.floor(valid.length / 2);
    return [...valid.slice(0, middle), ...invalid, ...valid.slice(middle), ...valid.slice(0, 1)];
  }

  private async signIn(address: string): Promise<void> {
    await this.request(`sign-in of ${address}`, (process) =>
      process.get(Users).resolveSubject(`subject of ${address}`, address),
    );
  }
}
