import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { crashPoint } from '../../kernel/crash-points.js';
import { idOf } from '../../kernel/ids.js';
import { endpoint, ofBusiness, secretIdsIn } from '../domain/endpoint.js';
import { withActivity } from '../projections/endpoint-activity.js';
import { endpoints } from '../projections/endpoints.js';
import { newSecret } from '../sending/signature.js';
import type { EndpointWithSecret } from './endpoint.commands.js';

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

  /** The new secret is kept before the rotation is recorded, and the old one destroyed after it: an endpoint always has its own. */
  async execute({ context, endpointId }: RotateSecret): Promise<EndpointWithSecret> {
    ofBusiness(await this.streams.state(endpoint, endpointId), context);
    const secretId = idOf('sec', context.at, context.commandId);
    const secret = await this.secrets.keep(secretId, newSecret());
    crashPoint('during-rotation');
    const outcome = await this.streams.execute(endpoint, endpointId, { type: 'RotateSecret', secretId }, context);
    await this.secrets.destroy(secretIdsIn(await outcome.history()).at(-2)!);
    return {
      document: await withActivity(this.views, await outcome.render(endpoints, endpointId)),
      secret: outcome.repeated ? null : secret,
    };
  }
}
