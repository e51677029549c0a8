import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type Fact, type Mode, type RecordedEvent, typesOf } from '../../kernel/event.js';
import { render, requireDocument, toDocumentIds } from '../../kernel/projection.js';
import type { Publication } from '../../kernel/public-event-definition.js';
import { FIRST_VERSION } from '../domain/event-types.js';
import { type PublicEvent, publicEventDecider, publicEventIdOf } from '../domain/public-event.js';
import { findPublication, PUBLICATIONS } from './publications.js';

/** Records a public event for each published event of the areas. A recorded public event never changes. */
@Injectable()
export class PublishEvents implements Reactor<Fact> {
  readonly name = 'publish-events';
  /** `publish` has checked the type of each fact. */
  readonly types = typesOf<Fact>(Object.fromEntries(PUBLICATIONS));

  constructor(private readonly streams: Streams) {}

  async react(fact: RecordedEvent): Promise<void> {
    const publication = findPublication(fact);
    if (publication === null) return;
    const event = toPublicEvent(fact, publication, await this.readDocumentAt(fact, publication));
    if (event === null) return;
    const context = {
      ...createEventContext(fact, this.name, publication.type),
      business: event.businessId,
      mode: event.mode,
    };
    await this.streams.execute(publicEventDecider, event.eventId, { type: 'RecordPublicEvent', event }, context);
  }

  /** Returns the resource as it was when the event was recorded, without later changes. */
  private async readDocumentAt(fact: RecordedEvent, { projection, alone }: Publication): Promise<OwnedDocument> {
    const [id] = toDocumentIds(projection, fact);
    return alone
      ? render(projection, id!, [fact])
      : requireDocument(projection, id!, await this.streams.loadDocumentAt(fact, projection, id!));
  }
}

interface OwnedDocument {
  readonly business?: { readonly id: string } | null;
  readonly _business?: string;
  readonly _mode?: Mode;
}

/** Returns null when the event belongs to no business, since then no endpoint can subscribe to it. */
function toPublicEvent(
  { id, meta }: RecordedEvent,
  { type }: Publication,
  document: OwnedDocument,
): PublicEvent | null {
  const businessId = document.business?.id ?? document._business ?? meta.business;
  if (businessId === null) return null;
  const data = Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')));
  return {
    eventId: publicEventIdOf(meta.at, id, type),
    type,
    version: FIRST_VERSION,
    occurredAt: meta.at,
    businessId,
    mode: document._mode ?? meta.mode,
    data,
  };
}
