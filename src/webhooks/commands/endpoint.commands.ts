import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Secrets } from '../../engine/sealing/secrets.js';
import { Streams } from '../../engine/streams/streams.js';
import { Views } from '../../engine/reading/views.js';
import { businessOf } from '../../identity/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint, ofBusiness, type EndpointSettings, type EndpointStatus } from '../domain/endpoint.js';
import { lastDeliveredTo, withActivity } from '../projections/endpoint-activity.js';
import { endpoints, type EndpointDocument } from '../projections/endpoints.js';
import { Addresses } from '../sending/addresses.js';
import { newSecret } from '../sending/signature.js';
import { EndpointPlaceSteps } from './endpoint-place.steps.js';
import { destroyIfRefused } from './new-secret.js';

/** Only the run that created the secret returns it; otherwise `secret` is null. */
export interface EndpointWithSecret {
  readonly document: EndpointDocument;
  readonly secret: string | null;
}

export class CreateEndpoint extends Command<EndpointWithSecret> {
  constructor(
    readonly context: Context,
    readonly settings: EndpointSettings,
    readonly status: EndpointStatus,
  ) {
    super();
  }
}

@CommandHandler(CreateEndpoint)
export class CreateEndpointHandler implements ICommandHandler<CreateEndpoint> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
    private readonly places: EndpointPlaceSteps,
    private readonly addresses: Addresses,
  ) {}

  async execute({ context, settings, status }: CreateEndpoint): Promise<EndpointWithSecret> {
    refuseBlocked(settings, this.addresses);
    const endpointId = idOf('whs', context.at, context.commandId);
    await this.places.take(endpointId, context);

    const secretId = secretIdOf(context);
    const secret = await this.secrets.keep(secretId, newSecret());
    const facts = { ...settings, endpointId, businessId: businessOf(context), mode: context.mode, secretId };
    const outcome = await this.streams
      .execute(endpoint, endpointId, { type: 'CreateEndpoint', status, ...facts }, context)
      .catch((error: unknown) => destroyIfRefused(error, secretId, endpointId, this.streams, this.secrets));
    return { document: await outcome.render(endpoints, endpointId), secret: outcome.repeated ? null : secret };
  }
}

export class EditEndpoint extends Command<EndpointDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly changes: Partial<EndpointSettings>,
    readonly status: EndpointStatus | null,
  ) {
    super();
  }
}

@CommandHandler(EditEndpoint)
export class EditEndpointHandler implements ICommandHandler<EditEndpoint> {
  constructor(
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly views: Views,
  ) {}

  async execute({ context, id, changes, status }: EditEndpoint): Promise<EndpointDocument> {
    refuseBlocked(changes, this.addresses);
    ofBusiness(await this.streams.state(endpoint, id), context);
    const outcome = await this.streams.execute(endpoint, id, { type: 'EditEndpoint', changes, status }, context);
    return withActivity(this.views, await outcome.render(endpoints, id));
  }
}

export class DeleteEndpoint extends Command<EndpointDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteEndpoint)
export class DeleteEndpointHandler implements ICommandHandler<DeleteEndpoint> {
  constructor(
    private readonly streams: Streams,
    private readonly secrets: Secrets,
    private readonly places: EndpointPlaceSteps,
    private readonly views: Views,
  ) {}

  /** Returns the endpoint as it was before the deletion. */
  async execute({ context, id }: DeleteEndpoint): Promise<EndpointDocument> {
    const { secretId } = ofBusiness(await this.streams.state(endpoint, id), context);
    const activity = await lastDeliveredTo(this.views, id);
    const outcome = await this.streams.execute(endpoint, id, { type: 'DeleteEndpoint' }, context);
    await this.places.free(id, context);
    await this.secrets.destroy(secretId);
    const before = (await outcome.history()).filter(({ type }) => type !== 'EndpointDeleted');
    return { ...render(endpoints, id, before), ...activity };
  }
}

/** @throws Rejection `url_not_allowed` when this deployment must not call the URL */
function refuseBlocked({ url }: Partial<EndpointSettings>, addresses: Addresses): void {
  const fault = url === undefined ? null : addresses.faultIn(url);
  if (fault !== null) throw new Rejection('url_not_allowed', fault, 'url');
}

function secretIdOf({ at, commandId }: Context): string {
  return idOf('sec', at, commandId);
}
