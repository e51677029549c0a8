import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import type { EventOf } from '../../kernel/projection.js';
import { endpoint, type EndpointEvent } from '../domain/endpoint.js';

/** Destroys the secret of a deleted endpoint also when a crash has cut its deletion short. */
@Injectable()
export class DestroySecrets implements Reactor {
  readonly name = 'destroy-secrets';
  readonly types = ['EndpointDeleted'];

  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
  ) {}

  async react({ data }: EventOf<EndpointEvent, 'EndpointDeleted'>): Promise<void> {
    const found = await this.streams.state(endpoint, data.endpointId);
    if (found.status === 'deleted') await this.secrets.destroy(found.secretId);
  }
}
