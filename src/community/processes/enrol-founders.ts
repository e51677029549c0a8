import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { resumed } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { enrol, founderJoins } from '../commands/enrolment.js';
import type { CommunityEvent } from '../domain/community.js';

/** Adds the founder as the first member when a crash interrupted CreateCommunity. */
@Injectable()
export class EnrolFounders implements Reactor {
  readonly name = 'enrol-founders';
  readonly types = ['CommunityCreated'];

  constructor(private readonly streams: Streams) {}

  async react(event: Recorded): Promise<void> {
    const { communityId, owner } = event.data as CommunityEvent['data'];
    await enrol(this.streams, founderJoins(communityId, owner), resumed(event, this.name));
  }
}
