import { DAY_MS, toIso } from '../../src/kernel/clock.js';
import { ConsistencyContext, type Context } from '../../src/kernel/context.js';
import { uuidV5 } from '../../src/kernel/ids.js';
import { Rejection } from '../../src/kernel/rejection.js';
import type { ReplayWindow } from '../../src/webhooks/domain/replay-job.js';
import type { ClientCommand } from './client-commands.js';
import * as commands from './client-commands.js';
import { FAILING_COINS } from './failing-jars.js';
import { START_TIME } from './process-lifecycle.js';
import type { Readers } from './readers.js';
import { findMisrecordedEvents } from './request-outcomes.js';
import type { SimulationRandom } from './seeded-random.js';
import type { World } from './world.js';

const NAMESPACE = '00000000-0000-4000-8000-000000000000';
const JARS = ['jar_1', 'jar_2'];
const RECEIVERS = ['one', 'two', 'three'];
const COMMUNITY_TYPES = ['community.created'];
const OTHER_TYPES = ['product.approved'];
const MAX_RETRY_DELAY_MS = 3_000;

/** The response to one request, as the client knows it. `silence`: no response so far. */
type RequestOutcome = 'silence' | 'done' | 'refused' | 'unknown';

export interface SentRequest {
  readonly label: string;
  readonly command: ClientCommand;
  readonly commandId: string;
  readonly outcomes: RequestOutcome[];
}

/** Simulated clients. They send requests to any process and repeat a request without a clear response. */
export class Clients {
  readonly sent: SentRequest[] = [];
  /** The secrets, by the id of the request whose response showed them. */
  readonly secrets = new Map<string, string>();
  /** Requests with the response "done" whose events were not in the log. */
  readonly earlyAcknowledgements: string[] = [];
  /** Rejections that the log does not justify. */
  readonly unjustifiedRejections: string[] = [];

  constructor(
    private readonly world: World,
    private readonly random: SimulationRandom,
    private readonly readers: Readers,
  ) {}

  /** Creates two endpoints early and sends random requests within the first `ms`. */
  start(ms: number): void {
    const { timeline } = this.world;
    for (const receiver of RECEIVERS.slice(0, 2))
      timeline.after(this.random.between(0, ms / 10), () => this.request(createEndpointFor(receiver, COMMUNITY_TYPES)));
    for (let left = this.random.integer(12, 36); left > 0; left--)
      timeline.after(this.random.between(0, ms), () => this.request(this.drawCommand()));
  }

  private drawCommand(): ClientCommand | null {
    const { random } = this;
    const draw = random.pickWeighted<() => ClientCommand | null>([
      [30, () => commands.foundCommunity()],
      [22, () => commands.addCoins(random.pick(JARS), random.integer(1, 2))],
      [3, () => commands.addCoins(random.pick(JARS), 1, FAILING_COINS)],
      [2, () => commands.breakJar(random.pick(JARS))],
      [5, () => createEndpointFor(random.pick(RECEIVERS), random.pick([COMMUNITY_TYPES, OTHER_TYPES, ['*']]))],
      [14, () => this.forEndpoint((id) => this.edit(id))],
      [6, () => this.forEndpoint(commands.rotateSecret)],
      [2, () => this.forEndpoint(commands.deleteEndpoint)],
      [4, () => this.forEndpoint(commands.sendTest)],
      [8, () => this.forAttempt(commands.replayDelivery)],
      [7, () => commands.requestReplayJob(this.createWindow())],
      [2, () => this.forRecorded('ReplayJobRequested', 'replayJobId', commands.cancelReplayJob)],
    ]);
    return draw();
  }

  private edit(id: string): ClientCommand {
    const { random } = this;
    const changes = random.chance(0.3) ? { eventTypes: random.pick([COMMUNITY_TYPES, OTHER_TYPES]) } : {};
    return commands.editEndpoint(id, changes, random.pick(['enabled', 'enabled', 'disabled'] as const));
  }

  /** Returns a replay window of all failed or missed deliveries. */
  private createWindow(): ReplayWindow {
    const { random } = this;
    const created = this.world.stores.events.log.filter(({ type }) => type === 'EndpointCreated');
    const one =
      created.length > 0 && random.chance(0.5) ? (random.pick(created).data as { readonly endpointId: string }) : null;
    return {
      scope: 'failed',
      createdFrom: toIso(START_TIME - DAY_MS),
      createdTo: toIso(START_TIME + Math.floor(this.world.timeline.now)),
      endpointId: one?.endpointId ?? null,
      eventTypes: [],
      statuses: ['failed', 'abandoned'],
      includeMissed: random.chance(0.5),
    };
  }

  private forEndpoint(command: (id: string) => ClientCommand): ClientCommand | null {
    return this.forRecorded('EndpointCreated', 'endpointId', command);
  }

  private forAttempt(command: (id: string) => ClientCommand): ClientCommand | null {
    return this.forRecorded('AttemptStarted', 'deliveryId', command);
  }

  private forRecorded(type: string, key: string, command: (id: string) => ClientCommand): ClientCommand | null {
    const recorded = this.world.stores.events.log.filter((event) => event.type === type);
    const aboutIt = (id: string) => ({ ...command(id), about: id });
    return recorded.length === 0
      ? null
      : aboutIt((this.random.pick(recorded).data as Readonly<Record<string, string>>)[key]!);
  }

  private request(command: ClientCommand | null): void {
    if (command === null) return;
    const label = `request-${this.sent.length + 1}`;
    const sent: SentRequest = { label, command, commandId: uuidV5(NAMESPACE, label), outcomes: [] };
    this.sent.push(sent);
    const at = START_TIME + Math.floor(this.world.timeline.now);
    this.send(sent, at);
    if (this.random.chance(0.1)) this.send(sent, at);
  }

  private send(sent: SentRequest, at: number): void {
    const process = this.world.anyProcess(this.random);
    if (process === null) return;
    const time = sent.outcomes.push('silence') - 1;
    this.world.trace.log(`${sent.label} ${sent.command.name} → ${process.name}`);
    const context = this.createContext(sent, at);
    const handleOutcome = (outcome: RequestOutcome) =>
      !process.lifecycle.hasEnded && this.recordOutcome(sent, time, outcome, context);
    sent.command.execute(process, context).then(
      (secret) => {
        if (secret !== null) this.secrets.set(sent.label, secret);
        handleOutcome('done');
      },
      (error: unknown) => {
        if (error instanceof Rejection) this.checkRejection(sent, error);
        handleOutcome(error instanceof Rejection ? 'refused' : 'unknown');
      },
    );
  }

  /** Checks a `not_found` rejection: the resource existed before the request, so it must have been deleted. */
  private checkRejection({ label, command }: SentRequest, { code }: Rejection): void {
    if (code !== 'not_found' || command.about === undefined) return;
    const { log } = this.world.stores.events;
    const isDeleted = log.some(
      ({ type, data }) => type === 'EndpointDeleted' && (data as { endpointId: string }).endpointId === command.about,
    );
    if (!isDeleted)
      this.unjustifiedRejections.push(`${label} ${command.name} was rejected because ${command.about} is missing`);
  }

  private recordOutcome(sent: SentRequest, time: number, outcome: RequestOutcome, { at, consistency }: Context): void {
    sent.outcomes[time] = outcome;
    this.world.trace.log(`${sent.label} ${sent.command.name}, request ${time + 1}, got the response: ${outcome}`);
    const { category, jarId } = sent.command;
    if (outcome === 'unknown') this.retry(sent, at);
    if (outcome !== 'done') return;
    this.earlyAcknowledgements.push(...findMisrecordedEvents(sent, this.world.stores.events.log));
    if (category === 'endpoint' && this.random.chance(0.5)) this.runSoon(() => this.request(commands.foundCommunity()));
    if (jarId !== undefined) this.readers.read(jarId, consistency.position);
  }

  /** Runs a task soon after an endpoint changed its subscription. */
  private runSoon(happen: () => void): void {
    this.world.timeline.after(this.random.between(0, 100), happen);
  }

  private retry(sent: SentRequest, at: number): void {
    if (sent.outcomes.length < 4)
      this.world.timeline.after(this.random.between(0, MAX_RETRY_DELAY_MS), () => this.send(sent, at));
  }

  private createContext({ label, commandId }: SentRequest, at: number): Context {
    return {
      commandId,
      at,
      correlationId: label,
      causationId: label,
      actor: { type: 'api_key', id: 'key_1' },
      business: 'biz_1',
      mode: 'live',
      requestId: label,
      consistency: new ConsistencyContext(),
    };
  }
}

function createEndpointFor(receiver: string, eventTypes: readonly string[]): ClientCommand {
  return commands.createEndpoint(`https://${receiver}.example.com/${receiver}`, eventTypes);
}
