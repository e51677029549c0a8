import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { requireOwned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Where } from '../../kernel/read-models.js';
import { PublicEventCache } from '../delivery/public-event-cache.js';
import { type PublicEventDocument, publicEvents } from '../projections/public-events.js';

/** A public event with its recorded data. */
export interface PublicEventView extends PublicEventDocument {
  readonly data: Readonly<Record<string, unknown>>;
}

export class RetrievePublicEvent extends Query<PublicEventView> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(RetrievePublicEvent)
export class RetrievePublicEventHandler implements IQueryHandler<RetrievePublicEvent> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly events: PublicEventCache,
  ) {}

  async execute({ context, id }: RetrievePublicEvent): Promise<PublicEventView> {
    return addData(requireOwned(await this.reader.get(publicEvents, id, context.consistency), context), this.events);
  }
}

/** Lists public events, newest first. */
export class ListPublicEvents extends Query<SliceResult<PublicEventView>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly limit: number; readonly after: string | null },
    readonly filter: Where,
  ) {
    super();
  }
}

@QueryHandler(ListPublicEvents)
export class ListPublicEventsHandler implements IQueryHandler<ListPublicEvents> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly events: PublicEventCache,
  ) {}

  async execute({ context, paging, filter }: ListPublicEvents): Promise<SliceResult<PublicEventView>> {
    const request = { where: { ...toOwnerFilter(context), ...filter }, orderBy: 'occurred_at', ...paging };
    const slice = await this.reader.getSlice(publicEvents, request, context.consistency);
    return { ...slice, data: await Promise.all(slice.data.map((document) => addData(document, this.events))) };
  }
}

async function addData(document: PublicEventDocument, events: PublicEventCache): Promise<PublicEventView> {
  const { data } = await events.get(document.id);
  return { ...document, data: data as PublicEventView['data'] };
}
