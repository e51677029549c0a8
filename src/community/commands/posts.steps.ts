import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { type PostCommand, postDecider } from '../domain/post.js';
import { type PostDocument, posts } from '../projections/posts.js';

/** Changes posts. The counts of likes and comments are facts of other streams, so they come from the read model. */
@Injectable()
export class Posts {
  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async readDocument(postId: string, context: Context): Promise<PostDocument> {
    const post = await this.reader.get(posts, postId, context.consistency);
    if (post === null) throw Rejection.notFound();
    return post;
  }

  async change(postId: string, command: PostCommand, context: Context): Promise<PostDocument> {
    const outcome = await this.streams.execute(postDecider, postId, command, context);
    const post = await outcome.render(posts, postId);
    const { like_count, comment_count } = await this.readDocument(postId, context);
    return { ...post, like_count, comment_count };
  }
}
