import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../../src/kernel/event.js';
import type { Crash } from '../../src/kernel/crash-points.js';
import type { Position } from '../../src/kernel/position.js';
import { hang, reset, status } from '../support/answers.js';
import { Api, dataOf } from '../support/api.js';
import { SeededRandom } from '../support/clock.js';
import { Evidence } from '../support/evidence.js';
import { openChains, untoldEvents } from '../support/invariants/deliveries.js';
import { behind, checkpointsOf, strayCheckpoints } from '../support/invariants/read-models.js';
import type { Repetition } from '../support/invariants/answers.js';
import type { Write } from '../support/invariants/writes.js';
import { sessionToken } from '../support/ops.js';
import { Receiver, type Received } from '../support/receiver.js';
import { freshFolder } from '../support/service.js';
import type { ServiceProcess } from '../support/service-process.js';
import { Customer } from './customer.js';
import { Lives } from './lives.js';
import { Load, type People } from './load.js';

const CUSTOMERS = 6;
const SHORTEST_LIFE_MS = 100;
const LONGEST_LIFE_MS = 900;
/** A replay that was cut off keeps its lease: its own time and 15 s. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 500;
const A_DAY_SECONDS = 86_400;
const OWNER_EMAIL = 'owner@example.com';

const ENVIRONMENT = { WEBHOOK_RETRY_SCHEDULE: '0.05,0.2,0.5', WEBHOOK_TIMEOUT_MS: '500', WEBHOOK_ENDPOINT_RATE: '10000' };

/** What is left when all is over. */
export interface Findings {
  readonly log: readonly Recorded[];
  /** The log as it was read bit by bit, after each death. */
  readonly seen: readonly Recorded[];
  readonly writes: readonly Write[];
  readonly requests: readonly Received[];
  /** What was answered under each key, and what it was answered when all was over. */
  readonly repetitions: readonly Repetition[];
  /** By the request that was told them. */
  readonly signingSecrets: ReadonlyMap<string, string>;
  /** Checkpoints that were ahead of the log, or had moved back. */
  readonly strays: readonly string[];
  /** Crash points at which the process did not die. */
  readonly survived: readonly string[];
  /** What was still to be done when patience ended. */
  readonly unsettled: readonly string[];
  readonly exitCodes: readonly (number | null)[];
}

/** One store, one or several service processes on it, customers who ask them in turn, and a kill −9 now and then. */
export class Trial {
  private readonly seen: Recorded[] = [];
  private readonly strays: string[] = [];
  private readonly survived: string[] = [];
  private readonly lives: Lives[];
  private readonly random: SeededRandom;
  private receiver!: Receiver;
  private customer!: Customer;
  private load!: Load;
  private turn = 0;
  private checkpoints: ReadonlyMap<string, Position> = new Map();
  /** Of the store, from beside the service. */
  evidence!: Evidence;

  private constructor(
    private readonly dataDir: string,
    processes: number,
    seed: number,
  ) {
    this.lives = Array.from({ length: processes }, () => new Lives(dataDir, ENVIRONMENT));
    this.random = new SeededRandom(seed);
  }

  static async begin({ processes, seed }: { processes: number; seed: number }): Promise<Trial> {
    const trial = new Trial(await freshFolder(), processes, seed);
    await trial.prepare();
    return trial;
  }

  /** Customers at work, the processes killed in turn, until so many kills; then all is left to settle and ended in order. */
  run(kills: number): Promise<Findings> {
    return this.through(Array.from({ length: kills }, (_, kill) => () => this.killAndLook(this.lives[kill % this.lives.length]!)));
  }

  /** The same, with one process, each life of which ends at one of these crash points. */
  async runThrough(crashes: readonly Crash[]): Promise<Findings> {
    const [lives] = this.lives as [Lives];
    await lives.stop();
    const deaths = crashes.map((crash) => () => this.dieAndLook(lives, crash));
    return this.through([...deaths, async () => void (await lives.begin())]);
  }

  private async through(deaths: readonly (() => Promise<void>)[]): Promise<Findings> {
    const closing = new AbortController();
    const work = Promise.all(Array.from({ length: CUSTOMERS }, () => this.load.keepOn(closing.signal)));
    work.catch(() => closing.abort());
    for (const death of deaths) if (!closing.signal.aborted) await death();
    closing.abort();
    await work;

    const unsettled = await this.settle();
    const repetitions = await this.customer.repeatAll();
    const exitCodes = await Promise.all(this.lives.map((lives) => lives.stop()));
    const { seen, strays, survived } = this;
    const { writes, signingSecrets } = this.customer;
    const { requests } = this.receiver;
    return { log: await this.evidence.log(), seen, writes, requests, repetitions, signingSecrets, strays, survived, unsettled, exitCodes };
  }

  async end(): Promise<void> {
    await Promise.all(this.lives.map((lives) => lives.end()));
    await this.evidence.close();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    this.receiver = await receiverOfEveryTemper();
    const [first, ...others] = this.lives;
    const { firstKey, url } = await first!.begin();
    this.evidence = await Evidence.open(this.dataDir);
    this.customer = new Customer(() => this.nextUrl(), firstKey);
    this.load = new Load(this.customer, this.random, this.receiver, await this.people(url, firstKey));
    await Promise.all(others.map((lives) => lives.begin()));
    await this.load.prepare();
  }

  private async people(url: string, firstKey: string): Promise<People> {
    const [ownerToken, reviewerToken] = await Promise.all([
      sessionToken(this.dataDir, 'owner', OWNER_EMAIL, ...lasting(A_DAY_SECONDS)),
      sessionToken(this.dataDir, 'reviewer', 'reviewer@example.com', '--reviewer', ...lasting(A_DAY_SECONDS)),
    ]);
    dataOf(await new Api(url, ownerToken).get('/v1/auth/me'));
    const { business } = dataOf(await new Api(url, firstKey).get('/v1/auth/me'));
    return { reviewerToken, ownerToken, ownerEmail: OWNER_EMAIL, businessId: business.id };
  }

  private async nextUrl(): Promise<string> {
    return (await this.lives[this.turn++ % this.lives.length]!.service()).url;
  }

  private async killAndLook(lives: Lives): Promise<void> {
    await delay(SHORTEST_LIFE_MS + this.random.next() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
    await lives.kill9();
    await this.look();
    await lives.begin();
  }

  private async dieAndLook(lives: Lives, { point, hit }: Crash): Promise<void> {
    const stop = (service: ServiceProcess) => void delay(SHORTEST_LIFE_MS).then(() => service.stop());
    const end = await lives.endAt(`${point}:${hit}`, point === 'during-shutdown' ? stop : undefined);
    if (end !== 'SIGKILL') this.survived.push(`${point}:${hit}, ended by ${end}`);
    await this.look();
  }

  private async look(): Promise<void> {
    this.seen.push(...(await this.evidence.log(this.seen.at(-1)?.position)));
    this.strays.push(...(await strayCheckpoints(this.evidence, this.checkpoints)));
    this.checkpoints = await checkpointsOf(this.evidence);
  }

  /** What is still to be done once nothing more is asked; empty as soon as there is nothing. */
  private async settle(): Promise<string[]> {
    const end = Date.now() + PATIENCE_MS;
    let open = await this.open();
    while (open.length > 0 && Date.now() < end) {
      await delay(LOOK_AGAIN_MS);
      open = await this.open();
    }
    return open;
  }

  private async open(): Promise<string[]> {
    const late = await behind(this.evidence);
    if (late.length > 0) return late;
    const log = await this.evidence.log();
    return [...openChains(log), ...untoldEvents(log)];
  }
}

async function receiverOfEveryTemper(): Promise<Receiver> {
  const receiver = await Receiver.start();
  receiver.answers('/refusing', status(400));
  receiver.answers('/failing', status(500));
  receiver.answers('/breaking', reset());
  receiver.answers('/silent', hang());
  return receiver;
}

function lasting(seconds: number): string[] {
  return ['--expires-in', String(seconds)];
}
