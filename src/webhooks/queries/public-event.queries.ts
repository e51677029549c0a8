import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { CursorPaging } from '../../engine/read-models/queries.js';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { WhereOf } from '../../kernel/read-models.js';
import { PublicEventCache } from '../delivery/public-event-cache.js';
import { type PublicEventDocument, publicEvents, type PublicEventView } from '../projections/public-events.js';

export class RetrievePublicEvent extends ContextQuery<{ id: string }, PublicEventView> {}

@QueryHandler(RetrievePublicEvent)
export class RetrievePublicEventHandler implements IQueryHandler<RetrievePublicEvent> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly events: PublicEventCache,
  ) {}

  async execute({ context, params: { id } }: RetrievePublicEvent): Promise<PublicEventView> {
    return addData(await this.reader.getOwned(publicEvents, id, context), this.events);
  }
}

/** Lists public events, newest first. */
export class ListPublicEvents extends ContextQuery<
  { paging: CursorPaging; filter: WhereOf<PublicEventDocument> },
  SliceResult<PublicEventView>
> {}

@QueryHandler(ListPublicEvents)
export class ListPublicEventsHandler implements IQueryHandler<ListPublicEvents> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly events: PublicEventCache,
  ) {}

  async execute({ context, params: { paging, filter } }: ListPublicEvents): Promise<SliceResult<PublicEventView>> {
    const request = { where: { ...toOwnerFilter(context), ...filter }, orderBy: 'occurred_at', ...paging } as const;
    const slice = await this.reader.getSlice(publicEvents, request, context.consistency);
    return { ...slice, data: await Promise.all(slice.data.map((document) => addData(document, this.events))) };
  }
}

async function addData(document: PublicEventDocument, events: PublicEventCache): Promise<PublicEventView> {
  const { sequence, data, changes } = await events.get(document.id);
  return { ...document, sequence, data: data as PublicEventView['data'], changes };
}

export const publicEventQueryHandlers = [RetrievePublicEventHandler, ListPublicEventsHandler];
