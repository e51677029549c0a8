import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Secrets } from '../../engine/encryption/secrets.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { passCrashPoint } from '../../kernel/crash-points.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import type { EventOf } from '../../kernel/projection.js';
import { generateSecret } from '../delivery/signature.js';
import { endpointDecider, type EndpointEvent } from '../domain/endpoint.js';
import { endpoints } from '../projections/endpoints.js';
import { EndpointRecords } from '../queries/endpoint-records.js';
import type { EndpointWithSecret } from './endpoint.commands.js';
import { destroyIfRefused } from './new-secret.js';

export class RotateSecret extends ContextCommand<{ endpointId: string }, EndpointWithSecret> {}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(
    private readonly streams: Streams,
    private readonly owned: OwnedStreams,
    private readonly secrets: Secrets,
    private readonly records: EndpointRecords,
  ) {}

  /**
   * Stores the new secret before the rotation is recorded, and destroys the old one after it. So an endpoint always has
   * a secret.
   */
  async execute({ context, params: { endpointId } }: RotateSecret): Promise<EndpointWithSecret> {
    const secretId = idOf('sec', context.at, context.commandId);
    let secret: string | null = null;
    const storeSecret = async () => {
      secret = await this.secrets.store(secretId, generateSecret());
      passCrashPoint('during-rotation');
      return { type: 'RotateSecret', secretId } as const;
    };
    const outcome = await this.owned
      .execute(endpointDecider, endpointId, storeSecret, context)
      .catch((error: unknown) => destroyIfRefused(error, secretId, endpointId, this.streams, this.secrets));
    // When an earlier run recorded the rotation, the reactor destroys the old secret.
    for (const { data } of outcome.recorded.filter(isRotation)) await this.secrets.destroy(data.replacedId!);
    return {
      document: await this.records.complete(await outcome.render(endpoints, endpointId)),
      secret: outcome.repeated ? null : secret,
    };
  }
}

function isRotation(event: RecordedEvent): event is EventOf<EndpointEvent, 'SecretRotated'> {
  return event.type === 'SecretRotated';
}
