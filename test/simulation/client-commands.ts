import { communityDecider } from '../../src/community/domain/community.js';
import { Streams } from '../../src/engine/streams/streams.js';
import type { Context } from '../../src/kernel/context.js';
import { streamOf } from '../../src/kernel/decider.js';
import { idOf } from '../../src/kernel/ids.js';
import {
  CreateEndpoint,
  CreateEndpointHandler,
  DeleteEndpoint,
  DeleteEndpointHandler,
  EditEndpoint,
  EditEndpointHandler,
} from '../../src/webhooks/commands/endpoint.commands.js';
import { ReplayDelivery, ReplayDeliveryHandler } from '../../src/webhooks/commands/replay.commands.js';
import {
  CancelReplayJob,
  CancelReplayJobHandler,
  RequestReplayJob,
  RequestReplayJobHandler,
} from '../../src/webhooks/commands/replay-job.commands.js';
import { RotateSecret, RotateSecretHandler } from '../../src/webhooks/commands/secret-rotation.commands.js';
import { SendTestEvent, SendTestEventHandler } from '../../src/webhooks/commands/test-event.commands.js';
import { endpointDecider, type EndpointStatus } from '../../src/webhooks/domain/endpoint.js';
import { replayJobDecider, type ReplayWindow } from '../../src/webhooks/domain/replay-job.js';
import { jar } from '../support/jar.js';
import { selectJarDecider } from './jars.js';
import type { Process } from './process.js';

/** A command of a client, with the number of events that it records and their category. */
export interface ClientCommand {
  readonly name: string;
  readonly category: string;
  readonly events: { readonly least: number; readonly most: number };
  /** The id of an existing resource that the command names. */
  readonly about?: string;
  /** The jar that a reader checks after the command. */
  readonly jarId?: string;
  /** Runs the command; returns the secret of the response, or null. */
  execute(process: Process, context: Context): Promise<string | null>;
}

/** Adds coins in `times` events, one coin each by default. */
export function addCoins(jarId: string, times: number, coins = 1): ClientCommand {
  const command = createStreamCommand(jar.category, times, (streams, context, process) =>
    streams.execute(selectJarDecider(process), jarId, { type: 'AddCoins', jarId, coins, times }, context),
  );
  return { ...command, jarId };
}

export function breakJar(jarId: string): ClientCommand {
  const command = createStreamCommand(jar.category, 1, (streams, context, process) =>
    streams.execute(selectJarDecider(process), jarId, { type: 'BreakJar', jarId }, context),
  );
  return { ...command, events: { least: 0, most: 1 } };
}

/** Creates a community, which leads to a public event. */
export function foundCommunity(): ClientCommand {
  return createStreamCommand(communityDecider.category, 1, (streams, context) => {
    const communityId = idOf('com', context.at, context.commandId);
    const owner = { userId: 'usr_1', memberId: 'mem_1', email: null };
    const content = {
      name: 'A community',
      description: null,
      coverImageUrl: null,
      tier: 'free',
      productId: null,
    } as const;
    const command = { type: 'CreateCommunity', communityId, businessId: context.business, owner, ...content } as const;
    return streams.execute(communityDecider, communityId, command, context);
  });
}

export function createEndpoint(url: string, eventTypes: readonly string[]): ClientCommand {
  const settings = {
    url,
    eventTypes,
    description: null,
    rateLimitPerSecond: null,
    notificationEmails: [],
    metadata: {},
  };
  return createEndpointCommand('createEndpoint', 1, (process, context) =>
    process.get(CreateEndpointHandler).execute(new CreateEndpoint(context, { settings, status: 'enabled' })),
  );
}

export function editEndpoint(
  id: string,
  changes: { readonly eventTypes?: readonly string[] },
  status: EndpointStatus | null,
): ClientCommand {
  const command = createEndpointCommand('editEndpoint', 1, (process, context) =>
    process.get(EditEndpointHandler).execute(new EditEndpoint(context, { id, changes, status })),
  );
  return { ...command, events: { least: 0, most: 2 } };
}

export function rotateSecret(id: string): ClientCommand {
  return createEndpointCommand('rotateSecret', 1, (process, context) =>
    process.get(RotateSecretHandler).execute(new RotateSecret(context, { endpointId: id })),
  );
}

export function deleteEndpoint(id: string): ClientCommand {
  return createEndpointCommand('deleteEndpoint', 1, (process, context) =>
    process.get(DeleteEndpointHandler).execute(new DeleteEndpoint(context, { id })),
  );
}

export function sendTest(endpointId: string): ClientCommand {
  return createChainCommand('sendTest', 1, (process, context) =>
    process.get(SendTestEventHandler).execute(new SendTestEvent(context, { endpointId, sample: null })),
  );
}

export function replayDelivery(deliveryId: string): ClientCommand {
  return createChainCommand('replay', 1, (process, context) =>
    process.get(ReplayDeliveryHandler).execute(new ReplayDelivery(context, { deliveryId })),
  );
}

export function requestReplayJob(window: ReplayWindow): ClientCommand {
  return createCommand('requestReplayJob', replayJobDecider.category, 1, (process, context) =>
    process.get(RequestReplayJobHandler).execute(new RequestReplayJob(context, window)),
  );
}

export function cancelReplayJob(id: string): ClientCommand {
  const cancel = createCommand('cancelReplayJob', replayJobDecider.category, 2, (process, context) =>
    process.get(CancelReplayJobHandler).execute(new CancelReplayJob(context, { id })),
  );
  return { ...cancel, events: { least: 0, most: 2 } };
}

/**
 * Categories to which consequences of a request are also recorded under its id; only events of the command itself
 * count.
 */
export const SHARED_CATEGORIES: readonly string[] = ['deliveryChain', replayJobDecider.category];

function createStreamCommand(
  category: string,
  events: number,
  work: (streams: Streams, context: Context, process: Process) => Promise<unknown>,
): ClientCommand {
  return createCommand(`to a ${category}`, category, events, (process, context) =>
    work(process.get(Streams), context, process),
  );
}

function createEndpointCommand(
  name: string,
  events: number,
  work: ClientCommand['execute'] | ((process: Process, context: Context) => Promise<unknown>),
): ClientCommand {
  return createCommand(name, endpointDecider.category, events, work);
}

function createChainCommand(
  name: string,
  events: number,
  work: (process: Process, context: Context) => Promise<unknown>,
): ClientCommand {
  return createCommand(name, 'deliveryChain', events, work);
}

function createCommand(
  name: string,
  category: string,
  events: number,
  work: (process: Process, context: Context) => Promise<unknown>,
): ClientCommand {
  return {
    name,
    category,
    events: { least: events, most: events },
    execute: async (process, context) =>
      ((await work(process, context)) as { readonly secret?: string | null }).secret ?? null,
  };
}

/** Whether a stream belongs to the category of the command. */
export function isOfCategory({ category }: ClientCommand, stream: string): boolean {
  return stream.startsWith(streamOf({ category }, ''));
}
