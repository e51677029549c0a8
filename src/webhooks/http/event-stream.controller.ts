import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { ApiRequest } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { ClosedSet, FilterText } from '../../http/validation/paging.js';
import { requireBusiness } from '../../kernel/caller.js';
import { Clock } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import { ownDocument } from '../../kernel/ownership.js';
import { type Position, START } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { EVERY_TYPE } from '../domain/event-types.js';
import { listEventTypeFilters } from '../event-catalogue.js';
import { publicEvents, publicEventSchema } from '../projections/public-events.js';
import { EventStreams } from '../streaming/event-streams.js';
import { StreamConnection } from '../streaming/stream-connection.js';

/** Stands for the id of an event before the first one. */
const BEFORE_ALL = 'start';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

class EventStreamQuery {
  @Describe(
    'Only events of these types; `community.*` selects all types that begin so, and without this filter the stream has the types that `*` selects.',
  )
  @ClosedSet(listEventTypeFilters)
  event_type?: string[];

  @Describe('Only events whose data have this `id`: those of one resource.', 'prod_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  resource?: string;

  @Describe(
    'The id of the last event that the client has, or `start` for a client that wants all events; the stream continues after it. `Last-Event-ID` replaces it.',
    'evt_01kg9p6je0grr0rycz01afc5br',
  )
  @FilterText()
  after?: string;
}

@Controller('v1/webhooks/events/stream')
export class EventStreamController {
  constructor(
    private readonly streams: EventStreams,
    private readonly reader: ReadModelReader,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Operation('Stream public events', publicEventSchema, { isStream: true })
  async stream(
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
    @Query() query: EventStreamQuery,
  ): Promise<string> {
    const { context, headers } = request;
    const business = requireBusiness(context);
    this.streams.assertAvailable(business);
    const after = headers['last-event-id'] ?? query.after;
    const last = await (after === undefined ? this.streams.readHead() : this.findPosition(String(after), context));
    this.streams.assertAvailable(business);

    void reply.headers(HEADERS).hijack();
    const connection = new StreamConnection(reply.raw, () => this.clock.monotonic());
    connection.open(reply.getHeaders() as Record<string, string>);
    if (request.method === 'HEAD') connection.close();
    else {
      const { event_type: eventTypes = [EVERY_TYPE], resource = null } = query;
      const selection = { owner: { business, mode: context.mode }, eventTypes, resource };
      const credential = { authorization: headers.authorization!, caller: context.caller };
      this.streams.run(connection, credential, { selection, last });
    }
    return '';
  }

  /** @throws Rejection for an id of another business or mode */
  private async findPosition(id: string, context: Context): Promise<Position> {
    if (id === BEFORE_ALL) return START;
    const found = ownDocument(await this.reader.get(publicEvents, id, context.consistency), context);
    if (found === null) throw new Rejection('invalid_parameter', 'There is no such event.', 'after');
    return found._position;
  }
}
