import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, dataOf } from '../support/api.js';
import { SeededRandom } from '../support/clock.js';
import { CommandLine, type Run } from '../support/command-line.js';
import { Evidence } from '../support/evidence.js';
import { openChains, untoldEvents } from '../support/invariants/deliveries.js';
import { behind } from '../support/invariants/read-models.js';
import { sessionToken } from '../support/ops.js';
import { Receiver } from '../support/receiver.js';
import { freshFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { Bystanders } from './bystanders.js';
import { Customer } from './customer.js';
import { Luck } from './luck.js';
import { Selling } from './selling.js';

const SELLERS = 16;
const PATIENCE_MS = 120_000;
const REBUILD_MS = 600_000;
const LOOK_AGAIN_MS = 200;
const UNDERWAY = /^\S+ {2}\d+ % {2}/m;
const COMMUNITIES = '/v1/community/communities';

/** A service with a history, an endpoint created after it, and an operator. */
export class Rebuilding {
  readonly ops: CommandLine;
  bystanders!: Bystanders;
  receiver!: Receiver;
  evidence!: Evidence;
  private service!: ServiceProcess;
  private selling!: Selling;

  private constructor(readonly dataDir: string) {
    this.ops = new CommandLine(dataDir, {}, REBUILD_MS);
  }

  static async begin(events: number, seed: number): Promise<Rebuilding> {
    const scene = new Rebuilding(await freshFolder());
    scene.receiver = await Receiver.start();
    scene.service = await ServiceProcess.start(scene.dataDir);
    scene.evidence = await Evidence.open(scene.dataDir);
    await scene.fill(events, seed);
    await scene.invite();
    return scene;
  }

  async end(): Promise<void> {
    await this.bystanders.end();
    await this.service.stop();
    await this.evidence.close();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Starts two rebuilds of one projection; returns the result of the refused one. */
  async startedTwice(): Promise<Run> {
    for (;;) {
      const both = await Promise.all([this.ops.run('projections rebuild posts'), this.ops.run('projections rebuild posts')]);
      const refused = both.find(({ exitCode }) => exitCode !== 0);
      // Otherwise one rebuild ended before the other started.
      if (refused !== undefined) return refused;
    }
  }

  /** Starts a rebuild of all projections and kills it during the read of the log. */
  async killedInTheMiddle(): Promise<Run> {
    const command = this.ops.begin('projections rebuild --all');
    await command.printed(UNDERWAY);
    return command.kill9();
  }

  /** Waits until all work is done; returns the work that is left at the timeout. */
  async settled(): Promise<readonly string[]> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const log = await this.evidence.log();
      const open = [...(await behind(this.evidence)), ...openChains(log), ...untoldEvents(log)];
      if (open.length === 0 || Date.now() >= end) return open;
      await delay(LOOK_AGAIN_MS);
    }
  }

  private async fill(events: number, seed: number): Promise<void> {
    const customer = new Customer(async () => this.service.url, this.service.firstKey);
    const reviewer = await sessionToken(this.dataDir, 'reviewer', 'reviewer@example.com', '--reviewer', '--expires-in', '86400');
    const selling = (this.selling = new Selling(customer, new Luck(new SeededRandom(seed)), reviewer));
    await selling.sell();
    const isFull = async () => Number(await this.evidence.events.head()) >= events;
    await Promise.all(
      Array.from({ length: SELLERS }, async (_, i) => {
        while (!(await isFull())) await (i % 4 === 0 ? selling.sell() : selling.buy());
      }),
    );
  }

  private async invite(): Promise<void> {
    const api = new Api(this.service.url, this.service.firstKey);
    const { id } = dataOf(await api.post(COMMUNITIES, { name: 'Readers' }));
    const endpoint = { url: this.receiver.url('/sales'), event_types: ['product.approved', 'cart.order.completed'] };
    dataOf(await api.post('/v1/webhooks/endpoints', endpoint, { 'idempotency-key': 'endpoint' }));
    const community = `${COMMUNITIES}/${id}`;
    const reads = ['products', 'orders', 'payments', 'subscriptions', 'invoices'].map((list) => `/v1/commerce/${list}`);
    const body = (n: number) => ({ content: `post ${n}` });
    this.bystanders = new Bystanders(api, { path: `${community}/posts`, body }, [
      ...reads,
      community,
      '/v1/webhooks/endpoints',
      '/v1/webhooks/deliveries',
    ]);
    this.bystanders.begin();
    await this.selling.sell();
    await this.selling.buy();
  }
}
