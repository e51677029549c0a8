import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Secrets } from '../../engine/secrets.js';
import { Streams } from '../../engine/streams.js';
import { Views } from '../../engine/views.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import { render } from '../../kernel/projection.js';
import { Rejection } from '../../kernel/rejection.js';
import { endpoint, ofBusiness, type EndpointSettings, type EndpointStatus } from '../domain/endpoint.js';
import { faultsInEventTypes } from '../domain/event-types.js';
import { withActivity } from '../projections/endpoint-activity.js';
import { endpoints, type EndpointDocument } from '../projections/endpoints.js';
import { Addresses } from '../sending/addresses.js';
import { newSecret } from '../sending/signature.js';
import { EndpointPlaces } from './endpoint-places.js';

/** `secret` is told once, by the run that made it. */
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
    private readonly places: EndpointPlaces,
    private readonly addresses: Addresses,
  ) {}

  async execute({ context, settings, status }: CreateEndpoint): Promise<EndpointWithSecret> {
    refuseFaulty(settings, this.addresses);
    const endpointId = idOf('whs', context.at, context.commandId);
    await this.places.take(endpointId, context);

    const secretId = secretIdOf(context);
    const secret = await this.secrets.keep(secretId, newSecret());
    const facts = { ...settings, endpointId, businessId: context.business!, mode: context.mode, secretId };
    const { history, repeated } = await this.streams.execute(endpoint, endpointId, { type: 'CreateEndpoint', status, ...facts }, context);
    return { document: render(endpoints, endpointId, history), secret: repeated ? null : secret };
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
    refuseFaulty(changes, this.addresses);
    ofBusiness(await this.streams.state(endpoint, id), context);
    const { history } = await this.streams.execute(endpoint, id, { type: 'EditEndpoint', changes, status }, context);
    return withActivity(this.views, render(endpoints, id, history));
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
    private readonly places: EndpointPlaces,
    private readonly views: Views,
  ) {}

  /** Answers the endpoint as it was. */
  async execute({ context, id }: DeleteEndpoint): Promise<EndpointDocument> {
    const { secretId } = ofBusiness(await this.streams.state(endpoint, id), context);
    const { history } = await this.streams.execute(endpoint, id, { type: 'DeleteEndpoint' }, context);
    await this.places.free(id, context);
    await this.secrets.destroy(secretId);
    const before = history.filter(({ type }) => type !== 'EndpointDeleted');
    return withActivity(this.views, render(endpoints, id, before));
  }
}

/** What is wrong with the settings, all of it at once: by its own name when it is the only kind. */
function refuseFaulty({ url, eventTypes = [] }: Partial<EndpointSettings>, addresses: Addresses): void {
  const wrongUrl = url === undefined ? null : addresses.faultIn(url);
  const faults = faultsInEventTypes(eventTypes);
  const all = wrongUrl === null ? faults : [{ code: 'url_not_allowed', detail: wrongUrl, param: 'url' }, ...faults];
  if (all.length === 0) return;
  const [code, ...others] = new Set(all.map((fault) => fault.code));
  const named = others.length === 0 && code !== 'invalid_value';
  throw Rejection.of(named ? code! : 'validation_failed', all[0]!.detail, all);
}

function secretIdOf({ at, commandId }: Context): string {
  return idOf('sec', at, commandId);
}
