import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import type { DeliveryChainEvent } from '../domain/delivery-chain/facts.js';
import { type EndpointCommand, endpointDecider } from '../domain/endpoint.js';
import { evaluateHealth } from '../domain/endpoint-health.js';
import { endpointHealth, type EndpointHealthDocument } from '../projections/endpoint-health.js';

type AttemptFailed = Extract<DeliveryChainEvent, { type: 'AttemptFailed' }>;

/** Warns of endpoints that keep failing, and disables those that have failed for too long. */
@Injectable()
export class MonitorEndpointHealth implements Reactor<AttemptFailed> {
  readonly name = 'monitor-endpoint-health';
  readonly types = typesOf<AttemptFailed>({ AttemptFailed: true });
  readonly needs = [endpointHealth];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
  ) {}

  async react(failed: RecordedOf<AttemptFailed>): Promise<void> {
    const { test, endpointId, businessId: business, mode } = failed.data;
    if (test) return;
    await this.reader.requirePosition(endpointHealth, failed.position);
    const context = { ...createEventContext(failed, this.name), business, mode };
    const health = await this.reader.get(endpointHealth, endpointId, context.consistency);
    const command = health && commandFor(health, failed.meta.at);
    if (command !== null) await this.streams.execute(endpointDecider, endpointId, command, context);
  }
}

function commandFor(health: EndpointHealthDocument, now: string): EndpointCommand | null {
  const decision = evaluateHealth(health, now);
  if (decision === null) return null;
  const { disabled_times: disabledTimes, last_success_at: lastSuccessAt, last_failure_at: lastFailureAt } = health;
  const details = { disabledTimes, lastSuccessAt, lastFailureAt };
  if ('warn' in decision) return { type: 'WarnAboutEndpoint', warning: decision.warn, ...details };
  const { since, failures } = decision.disable;
  return { type: 'DisableFailingEndpoint', since, failures, ...details };
}
