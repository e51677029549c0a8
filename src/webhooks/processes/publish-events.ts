import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { ConsistencyContext, createEventContext } from '../../kernel/context.js';
import { type Fact, type Mode, type RecordedEvent, typesOf } from '../../kernel/event.js';
import { render, requireDocument, toDocumentIds } from '../../kernel/projection.js';
import type { Publication, PublicationSources } from '../../kernel/public-event-definition.js';
import { ReadModels } from '../../kernel/read-models.js';
import { FIRST_VERSION } from '../domain/event-types.js';
import { findFieldChanges, limitChanges } from '../domain/field-changes.js';
import { type PublicEvent, publicEventDecider, publicEventIdOf } from '../domain/public-event.js';
import { findPublication, mapPublications } from './publications.js';
import { rememberAnswers } from './remember-answers.js';

/** Records a public event for each published event of the areas. A recorded public event never changes. */
@Injectable()
export class PublishEvents implements Reactor<Fact> {
  readonly name = 'publish-events';
  /** `publish` has checked the type of each fact. */
  readonly types = typesOf<Fact>(Object.fromEntries(mapPublications()));

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly readModels: ReadModels,
  ) {}

  async react(fact: RecordedEvent): Promise<void> {
    const publication = findPublication(fact);
    if (publication === null) return;
    const event = toPublicEvent(fact, publication, await this.readDocuments(fact, publication));
    if (event === null) return;
    const context = {
      ...createEventContext(fact, this.name, publication.type),
      business: event.businessId,
      mode: event.mode,
    };
    await this.streams.execute(publicEventDecider, event.eventId, { type: 'RecordPublicEvent', event }, context);
  }

  /**
   * Returns the resource as the API answers it after the append of the event, without later changes, and, when the event
   * means a change, as it was before. Both are completed from the same sources.
   */
  private async readDocuments(fact: RecordedEvent, publication: Publication): Promise<Documents> {
    const { projection, alone, change } = publication;
    const sources = rememberAnswers(this.createSources(fact));
    const complete = async (document: object) => (await publication.complete?.(document, sources, fact)) ?? document;
    const [id] = toDocumentIds(projection, fact);
    if (alone) return { before: null, after: await complete(render(projection, id!, [fact])) };
    const before = change ? await this.streams.loadDocumentBefore(fact, projection, id!) : null;
    const after = requireDocument(projection, id!, await this.streams.loadDocumentAfter(fact, projection, id!));
    return { before: before && (await complete(before)), after: await complete(after) };
  }

  private createSources({ position }: RecordedEvent): PublicationSources {
    const { streams, reader, readModels } = this;
    return {
      loadState: (decider, id) => streams.loadState(decider, id),
      readDocument: async (projection, id) => {
        await reader.requirePosition(projection, position);
        return reader.get(projection, id, new ConsistencyContext(position));
      },
      readStored: async (collection, id) => {
        await readModels.ensureCollection(collection, { indexes: [] });
        return (await readModels.load(collection, [id]))[0]?.document ?? null;
      },
    };
  }
}

interface OwnedDocument {
  readonly business?: { readonly id: string } | null;
  readonly _business?: string;
  readonly _mode?: Mode;
}

interface Documents {
  readonly before: object | null;
  readonly after: OwnedDocument;
}

/** Returns null when the event belongs to no business, since then no endpoint can subscribe to it. */
function toPublicEvent(
  { id, meta, revision }: RecordedEvent,
  { type }: Publication,
  { before, after }: Documents,
): PublicEvent | null {
  const businessId = after.business?.id ?? after._business ?? meta.business;
  if (businessId === null) return null;
  const data = toShown(after);
  return {
    eventId: publicEventIdOf(meta.at, id, type),
    type,
    version: FIRST_VERSION,
    occurredAt: meta.at,
    sequence: revision + 1,
    businessId,
    mode: after._mode ?? meta.mode,
    data,
    changes: before && limitChanges(data, findFieldChanges(toShown(before), data)),
  };
}

function toShown(document: object): object {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')));
}
