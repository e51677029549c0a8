import type { Caller } from './access.js';
import { CREATED, type Model, OK, refuse } from './model.js';
import type { User } from './people.js';
import type { Deletion, Post, PostResult, Posts } from './posts.js';
import { type Fields, nameOf, refer } from './template.js';

export interface Comment {
  readonly key: string;
  readonly createdAt: string;
  readonly post: Post;
  /** Null for the founder. */
  readonly author: User | null;
  readonly content: string;
  readonly parent: Comment | null;
  deletion: Deletion | null;
}

/** Comments of posts. A deleted one stays in the list without its content, so that its replies keep their place. */
export class Comments {
  private readonly all: Comment[] = [];

  constructor(
    private readonly model: Model,
    private readonly posts: Posts,
  ) {}

  listOf(post: Post): readonly Comment[] {
    return this.all.filter((comment) => comment.post === post);
  }

  write(post: Post, caller: Caller, content: string, parent: Comment | null): PostResult {
    const refused = this.posts.findUseRefusal(post, caller);
    if (refused !== null) return { outcome: refused, data: null };
    if (parent !== null && parent.deletion !== null)
      return { outcome: refuse(422, 'reply_target_invalid'), data: null };
    const [key, createdAt] = [this.model.newKey('cmt'), this.model.now];
    const comment: Comment = { key, createdAt, post, author: caller.user, content, parent, deletion: null };
    this.all.push(comment);
    this.model.touch(comment.key, post.key);
    return { outcome: CREATED, data: this.render(comment) };
  }

  delete(comment: Comment, caller: Caller): PostResult {
    const { post, author } = comment;
    const refused =
      this.model.access.findInnerRefusal(post.community, caller, 'withdraw') ??
      (this.posts.canRead(post, caller) ? null : refuse(404, 'not_found')) ??
      this.posts.findDeletionRefusal({ community: post.community, author }, caller);
    if (refused !== null) return { outcome: refused, data: null };
    comment.deletion ??= { at: this.model.now, by: caller.user };
    this.model.touch(comment.key, post.key);
    return { outcome: OK, data: { ...this.render(comment), ...this.posts.renderDeletion(comment.deletion) } };
  }

  render({ key, createdAt, post, author, content, parent, deletion }: Comment): Fields {
    return {
      ...{ id: nameOf(key), object: 'comment', post: refer('post', post.key), created_at: createdAt },
      author: refer('user', author?.key ?? 'usr owner'),
      content: deletion === null ? content : null,
      parent_comment_id: parent === null ? null : nameOf(parent.key),
      ...{ deleted: deletion !== null, deleted_at: deletion?.at ?? null },
    };
  }
}
