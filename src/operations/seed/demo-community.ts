import { CreateChallenge } from '../../community/commands/challenge.commands.js';
import { CreateChannel } from '../../community/commands/channel.commands.js';
import { CreateComment } from '../../community/commands/comment.commands.js';
import { CreateCommunity } from '../../community/commands/community.commands.js';
import { ImportMembers } from '../../community/commands/import.commands.js';
import { AddLibraryResource } from '../../community/commands/library.commands.js';
import { SetLike } from '../../community/commands/like.commands.js';
import { JoinCommunity } from '../../community/commands/member.commands.js';
import { SendMessage } from '../../community/commands/message.commands.js';
import { AwardPoints } from '../../community/commands/points.commands.js';
import { CreatePost } from '../../community/commands/post.commands.js';
import { Users } from '../../identity/users.js';
import { DAY_MS, toIso } from '../../kernel/clock.js';
import { idOf } from '../../kernel/ids.js';
import type { DemoService } from './demo-service.js';
import type { DemoSession, DemoUser } from './demo-session.js';
import type { SeededChoices } from './seeded-choices.js';

const CHALLENGE_DAYS = 30;
const IMPORT_DAYS = 90;
const IMPORTED_MEMBERS = 150;
const RECENT_POSTS = 20;
const TOPICS = ['a first loaf', 'a question about colours', 'my favourite opening', 'a leaking tap', 'my week'];

type Activity = CreatePost | CreateComment | SetLike | SendMessage;

interface DemoMember extends DemoUser {
  readonly email: string;
}

/** A community of the business. It grows and talks on every day of the demo. */
export class DemoCommunity {
  id = '';
  posts = 0;
  readonly members: DemoMember[] = [];
  private channelId = '';
  private readonly recentPostIds: string[] = [];
  private actions = 0;

  constructor(
    private readonly service: DemoService,
    private readonly session: DemoSession,
    private readonly owner: DemoUser,
    private readonly choices: SeededChoices,
  ) {}

  async open(): Promise<void> {
    const about = { description: 'For everybody who learns by doing.', coverImageUrl: null };
    const content = { name: 'Makers', ...about, tier: 'free', productId: null } as const;
    ({ id: this.id } = await this.session.run(new CreateCommunity(this.createContext('create'), content)));
    const channel = { name: 'workshop', description: null, visibility: 'public', whoCanPost: 'everyone' } as const;
    const params = { communityId: this.id, content: { ...channel, requiredLevel: 0 } };
    ({ id: this.channelId } = await this.session.run(new CreateChannel(this.createContext('channel'), params)));
    await this.addResource();
  }

  async runDay(day: number, now: number): Promise<void> {
    if (day % IMPORT_DAYS === 0) await this.importMembers(day);
    if (day % CHALLENGE_DAYS === 0) await this.startChallenge(day, now);
    if (this.members.length === 0 || this.choices.isOneIn(3)) await this.addMember();
    const posts = this.choices.between(1, 3);
    await Promise.all(this.planPosts(posts).map((post) => post()));
    const reactions = [...this.planComments(posts), ...this.planLikes(posts * 2), ...this.planMessages(posts)];
    await Promise.all(reactions.map((react) => react()));
    if (this.choices.isOneIn(2)) await this.award();
  }

  private async addMember(): Promise<void> {
    const n = this.members.length + 1;
    const email = `member-${n}@example.com`;
    const id = await this.service.get(Users).resolveSubject(`demo-member-${n}`, email);
    const member: DemoMember = { id, email, business: null, mode: 'live' };
    const context = this.session.createContext(member, 'community', 'join', n);
    await this.session.run(new JoinCommunity(context, { communityId: this.id }));
    this.members.push(member);
  }

  private async importMembers(day: number): Promise<void> {
    const rows = Array.from({ length: IMPORTED_MEMBERS }, (_, i) => ({ email: `reader-${day}-${i}@example.com` }));
    await this.session.run(new ImportMembers(this.createContext('import', day), { communityId: this.id, rows }));
  }

  private planPosts(count: number): (() => Promise<unknown>)[] {
    return this.plan(count, 'post', (context) => {
      const text = `${this.choices.pick(TOPICS)}, part ${++this.posts}`;
      const content = { content: text, attachments: [], metadata: {}, requiredLevel: 0, videoUrl: null };
      this.recentPostIds.unshift(idOf('post', context.at, context.commandId));
      this.recentPostIds.length = Math.min(this.recentPostIds.length, RECENT_POSTS);
      return new CreatePost(context, { communityId: this.id, content });
    });
  }

  private planComments(count: number): (() => Promise<unknown>)[] {
    return this.plan(count, 'comment', (context, content) => {
      const comment = { postId: this.choices.pick(this.recentPostIds), content, parentCommentId: null };
      return new CreateComment(context, comment);
    });
  }

  private planLikes(count: number): (() => Promise<unknown>)[] {
    return this.plan(count, 'like', (context) => {
      const postId = this.choices.pick(this.recentPostIds);
      return new SetLike(context, { postId, type: 'LikePost' });
    });
  }

  private planMessages(count: number): (() => Promise<unknown>)[] {
    return this.plan(count, 'message', (context, content) => {
      const message = { channelId: this.channelId, content, attachments: [], replyTo: null };
      return new SendMessage(context, message);
    });
  }

  /** Makes all choices at once, so that the order in which the commands run does not change them. */
  private plan(
    count: number,
    kind: string,
    create: (context: ReturnType<DemoSession['createContext']>, text: string) => Activity,
  ) {
    return Array.from({ length: count }, () => {
      const member = this.choices.pick(this.members);
      const context = this.session.createContext(member, 'community', kind, ++this.actions);
      const command = create(context, `${this.choices.pick(TOPICS)}: well done`);
      return () => this.session.attempt<unknown>(command);
    });
  }

  private async award(): Promise<void> {
    const { email: targetEmail } = this.choices.pick(this.members);
    const award = { communityId: this.id, points: this.choices.between(1, 50), targetEmail, source: null };
    await this.session.attempt(new AwardPoints(this.createContext('award', ++this.actions), award));
  }

  private async startChallenge(day: number, now: number): Promise<void> {
    const goal = { goalType: 'posts', goalTarget: 5, cpReward: 100 } as const;
    const time = { startsAt: null, endsAt: toIso(now + CHALLENGE_DAYS * DAY_MS), deadlineTimezone: 'UTC' };
    const content = {
      title: `Five posts, month ${day / CHALLENGE_DAYS + 1}`,
      description: null,
      prizeDescription: null,
      ...goal,
      ...time,
    };
    await this.session.run(
      new CreateChallenge(this.createContext('challenge', day), { communityId: this.id, content }),
    );
  }

  private async addResource(): Promise<void> {
    const file = { fileUrl: 'https://example.com/tools.pdf', mimeType: 'application/pdf', sizeBytes: 120_000 };
    const content = { title: 'Tools for beginners', description: null, ...file, requiredLevel: 0 };
    await this.session.run(new AddLibraryResource(this.createContext('resource'), { communityId: this.id, content }));
  }

  private createContext(...label: readonly (string | number)[]) {
    return this.session.createContext(this.owner, 'community', ...label);
  }
}
