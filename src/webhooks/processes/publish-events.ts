import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { causedBy } from '../../kernel/context.js';
import type { Mode, Recorded } from '../../kernel/event.js';
import { idsOf, render, there } from '../../kernel/projection.js';
import { publicEvent, publicEventIdOf, type PublicEvent } from '../domain/public-event.js';
import { publicationOf, PUBLICATIONS, type Publication } from './publications.js';

/** Records a public event for each published event of the areas. A recorded public event never changes. */
@Injectable()
export class PublishEvents implements Reactor {
  readonly name = 'publish-events';
  readonly types = [...PUBLICATIONS.keys()];

  constructor(private readonly streams: Streams) {}

  async react(fact: Recorded): Promise<void> {
    const publication = publicationOf(fact);
    if (publication === null) return;
    const event = eventOf(fact, publication, await this.documentAt(fact, publication));
    if (event === null) return;
    const context = { ...causedBy(fact, this.name, publication.type), business: event.businessId, mode: event.mode };
    await this.streams.execute(publicEvent, event.eventId, { type: 'RecordPublicEvent', event }, context);
  }

  /** Returns the resource as it was when the event was recorded, without later changes. */
  private async documentAt(fact: Recorded, { projection, alone }: Publication): Promise<OwnedDocument> {
    const [id] = idsOf(projection, fact);
    return alone ? render(projection, id!, [fact]) : there(projection, id!, await this.streams.documentAt(fact, projection, id!));
  }
}

interface OwnedDocument {
  readonly business?: { readonly id: string } | null;
  readonly _business?: string;
  readonly _mode?: Mode;
}

/** Returns null when the event belongs to no business, since then no endpoint can subscribe to it. */
function eventOf({ id, meta }: Recorded, { type, version }: Publication, document: OwnedDocument): PublicEvent | null {
  const businessId = document.business?.id ?? document._business ?? meta.business;
  if (businessId === null) return null;
  const data = Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')));
  return {
    eventId: publicEventIdOf(meta.at, id, type),
    type,
    version,
    occurredAt: meta.at,
    businessId,
    mode: document._mode ?? meta.mode,
    data,
  };
}
