import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views, type SliceOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { own, ownedBy } from '../../kernel/ownership.js';
import type { Where } from '../../kernel/read-models.js';
import { PublicEvents } from '../sending/public-events.js';
import { publicEvents, type PublicEventDocument } from './public-events.js';

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
    private readonly views: Views,
    private readonly events: PublicEvents,
  ) {}

  async execute({ context, id }: RetrievePublicEvent): Promise<PublicEventView> {
    return withData(own(await this.views.get(publicEvents, id, context.progress), context), this.events);
  }
}

/** Lists public events, newest first. */
export class ListPublicEvents extends Query<SliceOf<PublicEventView>> {
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
    private readonly views: Views,
    private readonly events: PublicEvents,
  ) {}

  async execute({ context, paging, filter }: ListPublicEvents): Promise<SliceOf<PublicEventView>> {
    const request = { where: { ...ownedBy(context), ...filter }, orderBy: 'occurred_at', ...paging };
    const slice = await this.views.slice(publicEvents, request, context.progress);
    return { ...slice, data: await Promise.all(slice.data.map((document) => withData(document, this.events))) };
  }
}

async function withData(document: PublicEventDocument, events: PublicEvents): Promise<PublicEventView> {
  const { data } = await events.get(document.id);
  return { ...document, data: data as PublicEventView['data'] };
}
