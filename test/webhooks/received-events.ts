import { type Api, type ApiResponse, requireData } from '../support/api.js';
import type { Receiver } from '../support/receiver.js';
import { EventDataSchemas } from './event-schemas.js';

/** The events that one endpoint of a receiver gets. */
export class ReceivedEvents {
  private constructor(
    private readonly receiver: Receiver,
    private readonly path: string,
    private readonly schemas: EventDataSchemas,
  ) {}

  /** Subscribes a path of the receiver. */
  static async subscribe(api: Api, receiver: Receiver, path: string, event_types: string[]): Promise<ReceivedEvents> {
    requireData(await api.post('/v1/webhooks/endpoints', { url: receiver.url(path), event_types }));
    return new ReceivedEvents(receiver, path, new EventDataSchemas(api));
  }

  list(type: string, id?: string): ApiResponse['body'][] {
    const events = this.receiver.requestsFor(this.path).map(({ body }) => JSON.parse(body));
    return events.filter((event) => event.type === type && (id === undefined || event.data.id === id));
  }

  /** Waits for the only event of the type about the resource. Its data has the schema of the type. */
  async waitForOne(type: string, id: string): Promise<ApiResponse['body']> {
    await this.receiver.waitUntil(() => this.list(type, id).length > 0, `${type} of ${id}`);
    const events = this.list(type, id);
    expect(events).toHaveLength(1);
    expect(await this.schemas.findErrors(type, events[0].data)).toEqual([]);
    return events[0];
  }
}
