import type { Caller, Right } from './access.js';
import { Comments } from './comments.js';
import type { Community } from './communities.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import type { User } from './people.js';
import { type Fields, nameOf, refer } from './template.js';
import { addDays } from './times.js';

const RESTORE_DAYS = 30;

export interface Post {
  readonly key: string;
  readonly createdAt: string;
  readonly community: Community;
  /** Null for the founder. */
  readonly author: User | null;
  readonly requiredLevel: number;
  readonly likes: Set<User | null>;
  content: string;
  isEdited: boolean;
  updatedAt: string;
  deletion: Deletion | null;
  /** The answer to the latest deletion, and the data of its event; kept after a restoration. */
  shownWhenDeleted: Fields | null;
}

export interface Deletion {
  readonly at: string;
  readonly by: User | null;
}

export interface PostResult {
  readonly outcome: Outcome;
  readonly data: Fields | null;
}

/** Posts of communities, and their likes. */
export class Posts {
  readonly all: Post[] = [];
  readonly comments: Comments;

  constructor(private readonly model: Model) {
    this.comments = new Comments(model, this);
  }

  listOf(community: Community): readonly Post[] {
    return this.all.filter((post) => post.community === community);
  }

  publish(community: Community, caller: Caller, content: string, requiredLevel: number): PostResult {
    const refused = this.model.access.findRefusal(community, caller, 'participate');
    if (refused !== null) return { outcome: refused, data: null };
    const { now } = this.model;
    const post: Post = {
      ...{ key: this.model.newKey('post'), createdAt: now, community, author: caller.user, content, requiredLevel },
      ...{ likes: new Set(), isEdited: false, updatedAt: now },
      ...{ deletion: null, shownWhenDeleted: null },
    };
    this.all.push(post);
    this.model.touch(post.key);
    return { outcome: CREATED, data: this.renderFor(post, caller) };
  }

  /** Only its author edits a post. */
  edit(post: Post, caller: Caller, content: string): PostResult {
    const refused = this.findRefusal(post, caller, 'participate');
    if (refused !== null) return { outcome: refused, data: null };
    if (post.author !== caller.user) return { outcome: refuse(403, 'permission_denied'), data: null };
    if (post.deletion !== null) return { outcome: refuse(404, 'not_found'), data: null };
    Object.assign(post, { content, isEdited: true, updatedAt: this.model.now });
    return this.done(post, caller);
  }

  delete(post: Post, caller: Caller): PostResult {
    const refused = this.findRefusal(post, caller, 'withdraw') ?? this.findDeletionRefusal(post, caller);
    if (refused !== null) return { outcome: refused, data: null };
    const isFirst = post.deletion === null;
    post.deletion ??= { at: this.model.now, by: caller.user };
    const data = { ...this.render(post, true), ...this.renderDeletion(post.deletion) };
    if (isFirst) post.shownWhenDeleted = data;
    return { outcome: this.done(post, caller).outcome, data };
  }

  restore(post: Post, caller: Caller): PostResult {
    const refused = this.findRefusal(post, caller, 'moderate');
    if (refused !== null) return { outcome: refused, data: null };
    if (post.deletion !== null && this.model.now > addDays(post.deletion.at, RESTORE_DAYS))
      return { outcome: refuse(422, 'restore_expired'), data: null };
    post.deletion = null;
    return this.done(post, caller);
  }

  /** A second like of the same user changes nothing. */
  like(post: Post, caller: Caller): PostResult {
    const refused = this.findUseRefusal(post, caller);
    if (refused !== null) return { outcome: refused, data: null };
    post.likes.add(caller.user);
    return this.done(post, caller);
  }

  unlike(post: Post, caller: Caller): PostResult {
    const refused = this.findUseRefusal(post, caller);
    if (refused !== null) return { outcome: refused, data: null };
    post.likes.delete(caller.user);
    return this.done(post, caller);
  }

  /** Refuses a comment or a like on a post that the caller does not see or may not read. */
  findUseRefusal(post: Post, caller: Caller): Outcome | null {
    const refused = this.model.access.findInnerRefusal(post.community, caller, 'participate');
    if (refused?.status === 404 || post.deletion !== null) return refuse(404, 'not_found');
    return refused ?? (this.canRead(post, caller) ? null : refuse(403, 'insufficient_level'));
  }

  /** Members delete what they wrote, moderators all but what the owner wrote. */
  findDeletionRefusal({ community, author }: Pick<Post, 'community' | 'author'>, caller: Caller): Outcome | null {
    const role = this.model.access.roleOf(community, caller);
    const isAllowed =
      author === caller.user || role === 'owner' || (role === 'moderator' && author !== community.owner);
    return isAllowed ? null : refuse(403, 'permission_denied');
  }

  /** A deleted post is seen by its author and by moderators. */
  findRefusal(post: Post, caller: Caller, right: Right | null): Outcome | null {
    const { access } = this.model;
    const { community, author, deletion } = post;
    const isVisible = deletion === null || author === caller.user || access.canModerate(community, caller);
    if (access.roleOf(community, caller) === null || !isVisible) return refuse(404, 'not_found');
    return right === null ? null : access.findInnerRefusal(community, caller, right);
  }

  canRead({ community, author, requiredLevel }: Post, caller: Caller): boolean {
    return author === caller.user || this.model.access.hasLevel(community, caller, requiredLevel);
  }

  private done(post: Post, caller: Caller): PostResult {
    this.model.touch(post.key);
    return { outcome: OK, data: this.renderFor(post, caller) };
  }

  renderFor(post: Post, caller: Caller): Fields {
    return this.render(post, this.canRead(post, caller));
  }

  render(post: Post, canRead: boolean): Fields {
    const isHidden = !canRead || post.deletion !== null;
    return {
      ...{ id: nameOf(post.key), object: 'post', community: refer('community', post.community.key) },
      author: refer('user', post.author?.key ?? 'usr owner'),
      content: isHidden ? null : post.content,
      attachments: isHidden ? null : [],
      ...{ metadata: {}, required_level: post.requiredLevel, locked: !canRead, video_url: null },
      like_count: post.likes.size,
      comment_count: this.comments.listOf(post).filter(({ deletion }) => deletion === null).length,
      ...{ is_edited: post.isEdited, created_at: post.createdAt, updated_at: post.updatedAt },
      deleted_at: post.deletion?.at ?? null,
    };
  }

  renderDeletion({ at, by }: Deletion): Fields {
    return { deleted: true, deleted_at: at, deleted_by: refer('user', by?.key ?? 'usr owner') };
  }
}
