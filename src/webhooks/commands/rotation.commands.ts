import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { idOf } from '../../kernel/ids.js';
import { endpoint, ofBusiness, type EndpointEvent } from '../domain/endpoint.js';
import { withActivity } from '../projections/endpoint-activity.js';
import { endpoints } from '../projections/endpoints.js';
import { newSecret } from '../sending/signature.js';
import type { EndpointWithSecret } from './endpoint.commands.js';
import { destroyIfRefused } from './new-secret.js';

export class RotateSecret extends Command<EndpointWithSecret> {
  constructor(
    readonly context: Context,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
    private readonly views: Views,
  ) {}

  /**
   * Stores the new secret before the rotation is recorded, and destroys the old one after it. So an endpoint always has
   * a secret.
   */
  async execute({ context, endpointId }: RotateSecret): Promise<EndpointWithSecret> {
    ofBusiness(await this.streams.state(endpoint, endpointId), context);
    const secretId = idOf('sec', context.at, context.commandId);
    const secret = await this.secrets.keep(secretId, newSecret());
    crashPoint('during-rotation');
    const command = { type: 'RotateSecret', secretId } as const;
    const outcome = await this.streams
      .execute(endpoint, endpointId, command, context)
      .catch((error: unknown) => destroyIfRefused(error, secretId, endpointId, this.streams, this.secrets));
    // When an earlier run recorded the rotation, the reactor destroys the old secret.
    for (const { data } of outcome.recorded.filter(isRotation)) await this.secrets.destroy(data.replacedId!);
    return {
      document: await withActivity(this.views, await outcome.render(endpoints, endpointId)),
      secret: outcome.repeated ? null : secret,
    };
  }
}

function isRotation(event: Recorded): event is EventOf<EndpointEvent, 'SecretRotated'> {
  return event.type === 'SecretRotated';
}
