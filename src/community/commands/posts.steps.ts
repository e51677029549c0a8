import { Injectable } from '@nestjs/common';
import { type CountedProjection, CountedStreams } from '../../engine/read-models/counted-streams.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { requireFound } from '../../kernel/rejection.js';
import { type PostCommand, postDecider } from '../domain/post.js';
import { type PostDocument, posts } from '../projections/posts.js';

const COUNTED: CountedProjection<PostDocument> = { projection: posts, counts: ['like_count', 'comment_count'] };

@Injectable()
export class Posts {
  constructor(
    private readonly counted: CountedStreams,
    private readonly reader: ReadModelReader,
  ) {}

  async readDocument(postId: string, context: Context): Promise<PostDocument> {
    return requireFound(await this.reader.get(posts, postId, context.consistency));
  }

  change(postId: string, command: PostCommand, context: Context): Promise<PostDocument> {
    return this.counted.change(postDecider, COUNTED, postId, command, context);
  }
}
