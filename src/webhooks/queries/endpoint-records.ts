import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { endpointHealth, type EndpointHealthDocument } from '../projections/endpoint-health.js';
import type { EndpointDocument, Waiting } from '../projections/endpoints.js';
import { type EndpointAddress, WaitingAttempts } from './waiting-attempts.js';

type Activity = Pick<EndpointDocument, 'waiting'> &
  Partial<Pick<EndpointDocument, 'last_success_at' | 'last_failure_at'>>;

/** Adds the deliveries to endpoints. They may be a little stale, and a missing document of one is not waited for. */
@Injectable()
export class EndpointRecords {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly waitingAttempts: WaitingAttempts,
  ) {}

  async complete(document: EndpointDocument): Promise<EndpointDocument> {
    return { ...document, ...(await this.findActivity(document)) };
  }

  async completeAll(documents: readonly EndpointDocument[]): Promise<EndpointDocument[]> {
    const activities = await this.findActivities(documents);
    return documents.map((document, i) => ({ ...document, ...activities[i]! }));
  }

  async findActivity(document: EndpointAddress): Promise<Activity> {
    return (await this.findActivities([document]))[0]!;
  }

  private async findActivities(documents: readonly EndpointAddress[]): Promise<Activity[]> {
    const ids = documents.map(({ id }) => id);
    const health = await this.reader.getExisting(endpointHealth, ids);
    const waiting = await Promise.all(documents.map((one) => this.waitingAttempts.find(one, health.get(one.id))));
    return ids.map((id, i) => toActivity(health.get(id), waiting[i]!));
  }
}

/** Leaves the times out for an endpoint without a delivery: its document may have them from a warning. */
function toActivity(health: EndpointHealthDocument | undefined, waiting: Waiting | null): Activity {
  if (health === undefined) return { waiting };
  const { last_success_at, last_failure_at } = health;
  return { last_success_at, last_failure_at, waiting };
}
