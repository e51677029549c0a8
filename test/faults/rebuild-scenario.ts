import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Api, requireData } from '../support/api.js';
import { SeededRandom } from '../support/clock.js';
import { CommandLine, type CommandResult } from '../support/command-line.js';
import { findOpenChains, findUnpublishedEvents } from '../support/invariants/deliveries.js';
import { findLaggingCheckpoints } from '../support/invariants/read-models.js';
import { signSessionToken } from '../support/ops.js';
import { Receiver } from '../support/receiver.js';
import { createTempFolder } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { StoreInspector } from '../support/store-inspector.js';
import { BackgroundLoad } from './background-load.js';
import { CommerceLoad } from './commerce-load.js';
import { RandomChoices } from './random-choices.js';
import { RecordingClient } from './recording-client.js';

const SELLERS = 16;
const TIMEOUT_MS = 120_000;
const REBUILD_MS = 600_000;
const POLL_MS = 200;
const PROGRESS_LINE = /^\S+ {2}\d+ % {2}/m;
const COMMUNITIES = '/v1/community/communities';

/** A service with a history, an endpoint created after it, and an operator. */
export class RebuildScenario {
  readonly ops: CommandLine;
  backgroundLoad!: BackgroundLoad;
  receiver!: Receiver;
  evidence!: StoreInspector;
  private service!: ServiceProcess;
  private commerceLoad!: CommerceLoad;

  private constructor(readonly dataDir: string) {
    this.ops = new CommandLine(dataDir, {}, REBUILD_MS);
  }

  static async start(events: number, seed: number): Promise<RebuildScenario> {
    const scene = new RebuildScenario(await createTempFolder());
    scene.receiver = await Receiver.start();
    scene.service = await ServiceProcess.start(scene.dataDir);
    scene.evidence = await StoreInspector.open(scene.dataDir);
    await scene.fill(events, seed);
    // An event whose deliveries are not planned yet would be sent to the new endpoint too.
    await scene.waitUntilDone();
    await scene.startBackgroundLoad();
    return scene;
  }

  async end(): Promise<void> {
    await this.backgroundLoad.stop();
    await this.service.stop();
    await this.evidence.close();
    await this.receiver.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Starts two rebuilds of one projection; returns the result of the refused one. */
  async startTwice(): Promise<CommandResult> {
    for (;;) {
      const both = await Promise.all([
        this.ops.run('projections rebuild posts'),
        this.ops.run('projections rebuild posts'),
      ]);
      const refused = both.find(({ exitCode }) => exitCode !== 0);
      // Otherwise one rebuild ended before the other started.
      if (refused !== undefined) return refused;
    }
  }

  /** Starts a rebuild of all projections and kills it during the read of the log. */
  async killInTheMiddle(): Promise<CommandResult> {
    const command = this.ops.start('projections rebuild --all');
    await command.waitForOutput(PROGRESS_LINE);
    return command.kill9();
  }

  /** Waits until all work is done; returns the work that is left at the timeout. */
  async waitUntilDone(): Promise<readonly string[]> {
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const log = await this.evidence.readLog();
      const open = [
        ...(await findLaggingCheckpoints(this.evidence)),
        ...findOpenChains(log),
        ...findUnpublishedEvents(log),
      ];
      if (open.length === 0 || Date.now() >= end) return open;
      await delay(POLL_MS);
    }
  }

  private async fill(events: number, seed: number): Promise<void> {
    const customer = new RecordingClient(async () => this.service.url, this.service.firstKey);
    const reviewer = await signSessionToken(
      this.dataDir,
      'reviewer',
      'reviewer@example.com',
      '--reviewer',
      '--expires-in',
      '86400',
    );
    const commerceLoad = (this.commerceLoad = new CommerceLoad(
      customer,
      new RandomChoices(new SeededRandom(seed)),
      reviewer,
    ));
    await commerceLoad.sell();
    const isFull = async () => Number(await this.evidence.events.readHead()) >= events;
    await Promise.all(
      Array.from({ length: SELLERS }, async (_, i) => {
        while (!(await isFull())) await (i % 4 === 0 ? commerceLoad.sell() : commerceLoad.buy());
      }),
    );
  }

  private async startBackgroundLoad(): Promise<void> {
    const api = new Api(this.service.url, this.service.firstKey);
    const { id } = requireData(await api.post(COMMUNITIES, { name: 'Readers' }));
    const endpoint = { url: this.receiver.url('/sales'), event_types: ['product.approved', 'cart.order.completed'] };
    requireData(await api.post('/v1/webhooks/endpoints', endpoint, { 'idempotency-key': 'endpoint' }));
    const community = `${COMMUNITIES}/${id}`;
    const reads = ['products', 'orders', 'payments', 'subscriptions', 'invoices'].map((list) => `/v1/commerce/${list}`);
    const body = (n: number) => ({ content: `post ${n}` });
    this.backgroundLoad = new BackgroundLoad(api, { path: `${community}/posts`, body }, [
      ...reads,
      community,
      '/v1/webhooks/endpoints',
      '/v1/webhooks/deliveries',
    ]);
    this.backgroundLoad.start();
    await this.commerceLoad.sell();
    await this.commerceLoad.buy();
  }
}
