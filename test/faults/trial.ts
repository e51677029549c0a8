import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { TokenOptions } from '../../src/identity/authentication/development-tokens.js';
import type { Crash } from '../../src/kernel/crash-points.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { Api, requireData } from '../support/api.js';
import { SeededRandom } from '../support/clock.js';
import { ExternalStores, ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { createOwnerKey } from '../support/owner-key.js';
import { type ReceivedRequest, Receiver } from '../support/receiver.js';
import { respondWith } from '../support/receiver-responses.js';
import { createTempFolder } from '../support/service.js';
import type { Environment, ServiceProcess } from '../support/service-process.js';
import { StoreInspector } from '../support/store-inspector.js';
import { createTokens } from '../support/tokens.js';
import { Load, type LoadUsers } from './load.js';
import { Observer } from './observer.js';
import { ProcessGroup, type Role } from './process-group.js';
import { RECEIVER_BEHAVIOURS } from './receiver-behaviours.js';
import { RecordingClient } from './recording-client.js';
import type { RestartingService } from './restarting-service.js';
import type { TrialResults } from './trial-results.js';

const CUSTOMERS = 6;
const MIN_UPTIME_MS = 100;
const MAX_UPTIME_MS = 900;
/** The highest number of kills, as a multiple of the requested number. */
const MAX_KILL_FACTOR = 4;
const A_DAY_SECONDS = 86_400;
const OWNER_EMAIL = 'owner@example.com';

const ENVIRONMENT = {
  WEBHOOK_RETRY_SCHEDULE: '0.05,0.2,0.5',
  WEBHOOK_BREAKER_WAITS: '0.2,0.5',
  WEBHOOK_TIMEOUT_MS: '500',
  WEBHOOK_ENDPOINT_RATE: '10000',
  WEBHOOK_REPLAY_RATE: '1000',
  BUSINESS_LIMIT: '1000000',
  KEY_LIMIT: '1000000',
};

/** External stores of a trial. */
export interface TrialStores {
  readonly environment: Environment;
  /** Settings that differ for the observer of the stores. */
  readonly inspectorEnvironment?: Environment;
  close(): Promise<void>;
}

interface TrialOptions {
  readonly roles?: readonly Role[];
  /** The number of concurrent clients; each sends requests without a pause. */
  readonly customers?: number;
  /** Opens separate stores for this trial; by default the trial uses the stores of the test run. */
  readonly open?: (folder: string) => Promise<TrialStores>;
  /** Whether the trial continues after an unexpected error. */
  readonly toleratesErrors?: boolean;
  /** The operations port of each process. */
  readonly opsPorts?: readonly number[];
  readonly seed: number;
}

/** A trial: one store, service processes on it, clients that send requests to them in turn, and repeated kills. */
export class Trial {
  private readonly missedCrashPoints: string[] = [];
  private readonly unexpectedErrors: string[] = [];
  readonly processes: ProcessGroup;
  private readonly random: SeededRandom;
  private readonly environment: Environment;
  private receiver!: Receiver;
  client!: RecordingClient;
  private load!: Load;
  observer!: Observer;
  /** The inspector of the store, which reads it outside of the service. */
  evidence!: StoreInspector;

  private constructor(
    private readonly dataDir: string,
    /** Null on the embedded store. */
    private readonly stores: TrialStores | null,
    private readonly customers: number,
    private readonly forgiving: boolean,
    roles: readonly Role[],
    opsPorts: readonly number[],
    seed: number,
  ) {
    this.environment = { ...ENVIRONMENT, ...stores?.environment };
    this.processes = new ProcessGroup(dataDir, this.environment, roles, opsPorts);
    this.random = new SeededRandom(seed);
  }

  /** Starts a trial. The first process is ready before the others start. */
  static async start({
    roles = ['all'],
    customers = CUSTOMERS,
    open,
    toleratesErrors = false,
    opsPorts = [],
    seed,
  }: TrialOptions): Promise<Trial> {
    const dataDir = await createTempFolder();
    const opened = open ?? (ON_EXTERNAL_STORES ? (folder: string) => ExternalStores.open(folder) : null);
    const trial = new Trial(
      dataDir,
      (await opened?.(dataDir)) ?? null,
      customers,
      toleratesErrors,
      roles,
      opsPorts,
      seed,
    );
    await trial.prepare();
    return trial;
  }

  /**
   * Kills the processes in turn under load; then waits until all work is done and stops the processes.
   * @param isEnough while it returns false, more kills follow, because on a busy machine less happens between two kills
   */
  runWithKills(
    kills: number,
    isEnough: (seen: readonly RecordedEvent[], requests: readonly ReceivedRequest[]) => boolean = () => true,
  ): Promise<TrialResults> {
    const kill = (count: number) => this.killAndObserve(this.processes.all[count % this.processes.all.length]!);
    const more = async (count: number) => {
      if (!isEnough(this.observer.seen, this.receiver.requests)) await kill(count);
    };
    return this.runWithInterruptions(
      Array.from({ length: MAX_KILL_FACTOR * kills }, (_, count) => () => (count < kills ? kill(count) : more(count))),
    );
  }

  /** Kills each process and stops each for longer than its leases; measures the time until the others take over. */
  runWithTakeovers(): Promise<TrialResults> {
    const kills = this.processes.all.map((service) => async () => {
      await this.processes.killAndWait(service, this.evidence);
      await this.observer.observe();
      await service.start();
    });
    const stops = this.processes.all.map((service) => async () => {
      await this.processes.pauseAndWait(service, this.evidence);
      await this.observer.observe();
    });
    return this.runWithInterruptions([...kills, ...stops]);
  }

  /** Runs the load with one process that crashes at each of these crash points in turn. */
  async runWithCrashes(crashes: readonly Crash[]): Promise<TrialResults> {
    const [service] = this.processes.all as [RestartingService];
    await service.stop();
    const deaths = crashes.map((crash) => () => this.crashAndObserve(service, crash));
    return this.runWithInterruptions([...deaths, async () => void (await service.start())]);
  }

  /**
   * Runs the load during these interruptions, one after another; then waits until all work is done and stops the
   * processes.
   */
  async runWithInterruptions(deaths: readonly (() => Promise<void>)[]): Promise<TrialResults> {
    const closing = new AbortController();
    const surprised = this.forgiving ? ({ message }: Error) => void this.unexpectedErrors.push(message) : undefined;
    const work = Promise.all(Array.from({ length: this.customers }, () => this.load.run(closing.signal, surprised)));
    work.catch(() => closing.abort());
    for (const death of deaths) if (!closing.signal.aborted) await death();
    closing.abort();
    await work;
    // Otherwise the remaining attempts would time out one by one, longer than the trial waits.
    for (const { path } of RECEIVER_BEHAVIOURS.filter(({ isSlow }) => isSlow))
      this.receiver.setResponses(path, respondWith(200));

    const unsettled = await this.observer.waitUntilDone();
    const repetitions = await this.client.repeatAll();
    const exitCodes = await Promise.all(this.processes.all.map((service) => service.stop()));
    return {
      ...this.collectObservations(),
      log: await this.evidence.readLog(),
      repetitions,
      unfinishedWork: unsettled,
      exitCodes,
    };
  }

  /** Returns the observations during the trial. */
  private collectObservations() {
    const { seen, strayCheckpoints } = this.observer;
    const { writes, signingSecrets, rejections } = this.client;
    return {
      rejections,
      unexpectedErrors: this.unexpectedErrors,
      unexpectedEnds: this.processes.all.flatMap(({ unexpectedEnds }) => unexpectedEnds),
      seen,
      strayCheckpoints,
      writes,
      signingSecrets,
      requests: this.receiver.requests,
      takeovers: this.processes.takeovers,
      missedCrashPoints: this.missedCrashPoints,
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.processes.all.map((service) => service.dispose()));
    await this.evidence.close();
    await this.receiver.stop();
    await this.stores?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    this.receiver = await startReceiver();
    const [first, ...others] = this.processes.all;
    const service = await first!.start();
    const key = await createOwnerKey(service);
    this.evidence = await StoreInspector.open(this.dataDir, {
      ...this.environment,
      ...this.stores?.inspectorEnvironment,
    });
    this.observer = new Observer(this.evidence);
    this.client = new RecordingClient(() => this.processes.nextUrl(), key);
    this.load = new Load(this.client, this.random, this.receiver, await this.createUsers(service.url, key));
    await Promise.all(others.map((service) => service.start()));
    await this.load.prepare();
  }

  private async createUsers(url: string, key: string): Promise<LoadUsers> {
    const [ownerToken, reviewerToken] = await Promise.all([
      this.signToken({ subject: 'owner', email: OWNER_EMAIL, reviewer: false }),
      this.signToken({ subject: 'reviewer', email: 'reviewer@example.com', reviewer: true }),
    ]);
    requireData(await new Api(url, ownerToken).get('/v1/auth/me'));
    const { business } = requireData(await new Api(url, key).get('/v1/auth/me'));
    return { reviewerToken, ownerToken, ownerEmail: OWNER_EMAIL, businessId: business.id };
  }

  private signToken(options: Omit<TokenOptions, 'expiresInSeconds'>): Promise<string> {
    return createTokens(this.evidence.config).sign({ ...options, expiresInSeconds: A_DAY_SECONDS });
  }

  private async killAndObserve(service: RestartingService): Promise<void> {
    await delay(MIN_UPTIME_MS + this.random.next() * (MAX_UPTIME_MS - MIN_UPTIME_MS));
    await service.kill9();
    await this.observer.observe();
    await service.start();
  }

  private async crashAndObserve(service: RestartingService, { point, hit }: Crash): Promise<void> {
    const stop = (current: ServiceProcess) => void delay(MIN_UPTIME_MS).then(() => current.stop());
    const end = await service.crashAt(`${point}:${hit}`, point === 'during-shutdown' ? stop : undefined);
    if (end !== 'SIGKILL') this.missedCrashPoints.push(`${point}:${hit}, ended by ${end}`);
    await this.observer.observe();
  }
}

async function startReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  for (const { path, answer } of RECEIVER_BEHAVIOURS) receiver.setResponses(path, answer);
  return receiver;
}
