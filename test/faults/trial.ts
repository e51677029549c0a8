import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { TokenWish } from '../../src/identity/development-tokens.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { Crash } from '../../src/kernel/crash-points.js';
import { status } from '../support/answers.js';
import { Api, dataOf } from '../support/api.js';
import { SeededRandom } from '../support/clock.js';
import { Evidence } from '../support/evidence.js';
import { ownersKey } from '../support/owners-key.js';
import { Receiver, type Received } from '../support/receiver.js';
import { ON_REAL_STORES, RealStores } from '../support/real-stores/real-stores.js';
import { freshFolder } from '../support/service.js';
import type { Environment, ServiceProcess } from '../support/service-process.js';
import { tokensOf } from '../support/tokens.js';
import { Customer } from './customer.js';
import { Crew, type Role } from './crew.js';
import type { Lives } from './lives.js';
import { Load, type People } from './load.js';
import { Onlooker } from './onlooker.js';
import { TEMPERS } from './tempers.js';
import type { Findings } from './trial-findings.js';

const CUSTOMERS = 6;
const SHORTEST_LIFE_MS = 100;
const LONGEST_LIFE_MS = 900;
/** The highest number of kills, as a multiple of the requested number. */
const MOST_KILLS = 4;
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
  readonly besides?: Environment;
  close(): Promise<void>;
}

interface Wish {
  readonly roles?: readonly Role[];
  /** The number of concurrent clients; each sends requests without a pause. */
  readonly customers?: number;
  /** Opens separate stores for this trial; by default the trial uses the stores of the test run. */
  readonly open?: (folder: string) => Promise<TrialStores>;
  /** Whether the trial continues after an unexpected error. */
  readonly forgiving?: boolean;
  /** The operations port of each process. */
  readonly opsPorts?: readonly number[];
  readonly seed: number;
}

/** A trial: one store, service processes on it, clients that send requests to them in turn, and repeated kills. */
export class Trial {
  private readonly survived: string[] = [];
  private readonly surprises: string[] = [];
  readonly crew: Crew;
  private readonly random: SeededRandom;
  private readonly environment: Environment;
  private receiver!: Receiver;
  customer!: Customer;
  private load!: Load;
  onlooker!: Onlooker;
  /** Of the store, from beside the service. */
  evidence!: Evidence;

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
    this.crew = new Crew(dataDir, this.environment, roles, opsPorts);
    this.random = new SeededRandom(seed);
  }

  /** Starts a trial. The first process is ready before the others start. */
  static async begin({ roles = ['all'], customers = CUSTOMERS, open, forgiving = false, opsPorts = [], seed }: Wish): Promise<Trial> {
    const dataDir = await freshFolder();
    const opened = open ?? (ON_REAL_STORES ? (folder: string) => RealStores.open(folder) : null);
    const trial = new Trial(dataDir, (await opened?.(dataDir)) ?? null, customers, forgiving, roles, opsPorts, seed);
    await trial.prepare();
    return trial;
  }

  /**
   * Kills the processes in turn under load; then waits until all work is done and stops the processes.
   * @param isEnough while it returns false, more kills follow, because on a busy machine less happens between two kills
   */
  run(kills: number, isEnough: (seen: readonly Recorded[], requests: readonly Received[]) => boolean = () => true): Promise<Findings> {
    const kill = (count: number) => this.killAndLook(this.crew.all[count % this.crew.all.length]!);
    const more = async (count: number) => {
      if (!isEnough(this.onlooker.seen, this.receiver.requests)) await kill(count);
    };
    return this.through(Array.from({ length: MOST_KILLS * kills }, (_, count) => () => (count < kills ? kill(count) : more(count))));
  }

  /** Kills each process and stops each for longer than its leases; measures the time until the others take over. */
  runThroughTakeovers(): Promise<Findings> {
    const kills = this.crew.all.map((lives) => async () => {
      await this.crew.killed(lives, this.evidence);
      await this.onlooker.look();
      await lives.begin();
    });
    const stops = this.crew.all.map((lives) => async () => {
      await this.crew.stopped(lives, this.evidence);
      await this.onlooker.look();
    });
    return this.through([...kills, ...stops]);
  }

  /** Runs the load with one process that crashes at each of these crash points in turn. */
  async runThrough(crashes: readonly Crash[]): Promise<Findings> {
    const [lives] = this.crew.all as [Lives];
    await lives.stop();
    const deaths = crashes.map((crash) => () => this.dieAndLook(lives, crash));
    return this.through([...deaths, async () => void (await lives.begin())]);
  }

  /**
   * Runs the load during these interruptions, one after another; then waits until all work is done and stops the
   * processes.
   */
  async through(deaths: readonly (() => Promise<void>)[]): Promise<Findings> {
    const closing = new AbortController();
    const surprised = this.forgiving ? ({ message }: Error) => void this.surprises.push(message) : undefined;
    const work = Promise.all(Array.from({ length: this.customers }, () => this.load.keepOn(closing.signal, surprised)));
    work.catch(() => closing.abort());
    for (const death of deaths) if (!closing.signal.aborted) await death();
    closing.abort();
    await work;
    // Otherwise the remaining attempts would time out one by one, longer than the trial waits.
    for (const { path } of TEMPERS.filter(({ isSlow }) => isSlow)) this.receiver.answers(path, status(200));

    const unsettled = await this.onlooker.settle();
    const repetitions = await this.customer.repeatAll();
    const exitCodes = await Promise.all(this.crew.all.map((lives) => lives.stop()));
    return { ...this.witnessed(), log: await this.evidence.log(), repetitions, unsettled, exitCodes };
  }

  /** Returns the observations during the trial. */
  private witnessed() {
    const { seen, strays } = this.onlooker;
    const { writes, signingSecrets, refusals } = this.customer;
    return {
      refusals,
      surprises: this.surprises,
      fallen: this.crew.all.flatMap(({ fallen }) => fallen),
      seen,
      strays,
      writes,
      signingSecrets,
      requests: this.receiver.requests,
      takeovers: this.crew.takeovers,
      survived: this.survived,
    };
  }

  async end(): Promise<void> {
    await Promise.all(this.crew.all.map((lives) => lives.end()));
    await this.evidence.close();
    await this.receiver.stop();
    await this.stores?.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    this.receiver = await receiverOfEveryTemper();
    const [first, ...others] = this.crew.all;
    const service = await first!.begin();
    const key = await ownersKey(service);
    this.evidence = await Evidence.open(this.dataDir, { ...this.environment, ...this.stores?.besides });
    this.onlooker = new Onlooker(this.evidence);
    this.customer = new Customer(() => this.crew.nextUrl(), key);
    this.load = new Load(this.customer, this.random, this.receiver, await this.people(service.url, key));
    await Promise.all(others.map((lives) => lives.begin()));
    await this.load.prepare();
  }

  private async people(url: string, key: string): Promise<People> {
    const [ownerToken, reviewerToken] = await Promise.all([
      this.token({ subject: 'owner', email: OWNER_EMAIL, reviewer: false }),
      this.token({ subject: 'reviewer', email: 'reviewer@example.com', reviewer: true }),
    ]);
    dataOf(await new Api(url, ownerToken).get('/v1/auth/me'));
    const { business } = dataOf(await new Api(url, key).get('/v1/auth/me'));
    return { reviewerToken, ownerToken, ownerEmail: OWNER_EMAIL, businessId: business.id };
  }

  private token(wish: Omit<TokenWish, 'expiresInSeconds'>): Promise<string> {
    return tokensOf(this.evidence.config).sign({ ...wish, expiresInSeconds: A_DAY_SECONDS });
  }

  private async killAndLook(lives: Lives): Promise<void> {
    await delay(SHORTEST_LIFE_MS + this.random.next() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
    await lives.kill9();
    await this.onlooker.look();
    await lives.begin();
  }

  private async dieAndLook(lives: Lives, { point, hit }: Crash): Promise<void> {
    const stop = (service: ServiceProcess) => void delay(SHORTEST_LIFE_MS).then(() => service.stop());
    const end = await lives.endAt(`${point}:${hit}`, point === 'during-shutdown' ? stop : undefined);
    if (end !== 'SIGKILL') this.survived.push(`${point}:${hit}, ended by ${end}`);
    await this.onlooker.look();
  }
}

async function receiverOfEveryTemper(): Promise<Receiver> {
  const receiver = await Receiver.start();
  for (const { path, answer } of TEMPERS) receiver.answers(path, answer);
  return receiver;
}
