import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views } from '../../engine/reading/views.js';
import { causedBy } from '../../kernel/context.js';
import type { EventOf } from '../../kernel/projection.js';
import type { ChainEvent } from '../domain/chain.js';
import { endpoint, type EndpointCommand } from '../domain/endpoint.js';
import { judged } from '../domain/endpoint-health.js';
import { endpointActivity, type EndpointActivityDocument } from '../projections/endpoint-activity.js';

type Failed = EventOf<ChainEvent, 'AttemptFailed'>;

/** Warns of endpoints that keep failing, and disables those that have failed for too long. */
@Injectable()
export class JudgeEndpoints implements Reactor {
  readonly name = 'judge-endpoints';
  readonly types = ['AttemptFailed'];
  readonly needs = [endpointActivity];

  constructor(
    private readonly streams: Streams,
    private readonly views: Views,
  ) {}

  async react(failed: Failed): Promise<void> {
    const { test, endpointId, businessId: business, mode } = failed.data;
    if (test) return;
    await this.views.mustReach(endpointActivity, failed.position);
    const context = { ...causedBy(failed, this.name), business, mode };
    const activity = await this.views.get(endpointActivity, endpointId, context.progress);
    const command = activity && commandFor(activity, failed.meta.at);
    if (command !== null) await this.streams.execute(endpoint, endpointId, command, context);
  }
}

function commandFor(activity: EndpointActivityDocument, now: string): EndpointCommand | null {
  const judgement = judged(activity, now);
  if (judgement === null) return null;
  const { disabled_times: disabledTimes, last_success_at: lastSuccessAt, last_failure_at: lastFailureAt } = activity;
  const about = { disabledTimes, lastSuccessAt, lastFailureAt };
  if ('warn' in judgement) return { type: 'WarnOfEndpoint', warning: judgement.warn, ...about };
  const { since, failures } = judgement.disable;
  return { type: 'DisableFailing', since, failures, ...about };
}
