import type { Clock } from '../../kernel/clock.js';
import { StoreUnavailable } from '../../kernel/event-store.js';
import { Call } from './calls.js';
import {
  CallTimeout,
  findLeader,
  isNotLeader,
  isPermanent,
  isTimeout,
  LeaderReplaced,
  needsOperator,
  PositionNotReached,
  StaleNode,
  toUnavailable,
} from './failures.js';
import type { Link } from './link.js';
import type { Links } from './links.js';

/** The client limits the time of a call itself, except for the search for the leader and for reads. */
const GRACE_MS = 500;
/** After this time without a response the cluster is asked whether another node is its leader. */
const LEADER_CHECK_MS = 1_500;
/** How many redirects to another leader one call follows. */
const MAX_REDIRECTS = 3;
/** The delay before the search for a replacement of a stale node. */
const STALE_NODE_DELAY_MS = 50;

type Work<T> = (link: Link) => Promise<T>;

/** Runs calls with a deadline on the leader of the cluster, and follows a change of the leader. */
export class CallRunner {
  isOpen = true;
  wasRedirected = false;

  constructor(
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly deadlineMs: number,
  ) {}

  async run<T>(work: Work<T>, writes: boolean, permission: string): Promise<T> {
    this.requireOpen();
    const call = new Call();
    try {
      const answer = await this.withDeadline(call, this.runOnLeader(call, work));
      if (call.link !== null) call.link.responses++;
      return answer;
    } catch (error) {
      if (isPermanent(error)) throw error;
      if (call.link !== null && isOfLink(error, call)) this.links.retire(call.link);
      throw toUnavailable(error, writes && call.link !== null, permission);
    } finally {
      call.end();
    }
  }

  /** @throws StoreUnavailable */
  requireOpen(): void {
    if (!this.isOpen) throw new StoreUnavailable('EventStoreDB: the store is closed', false);
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await this.links.close();
  }

  /** Runs the work on the leader that the nodes name, and replaces stale nodes. */
  private async runOnLeader<T>(call: Call, work: Work<T>): Promise<T> {
    for (let redirects = 0; ;) {
      const link = call.moveTo(await this.links.getCurrent());
      try {
        return await work(link);
      } catch (error) {
        if (call.hasEnded) throw error;
        if (isNotLeader(error) && ++redirects < MAX_REDIRECTS) this.redirect(link, error);
        else if (error instanceof StaleNode) await this.replaceStaleNode(link);
        else throw error;
      }
    }
  }

  private redirect(link: Link, error: unknown): void {
    this.wasRedirected = true;
    const leader = findLeader(error);
    if (leader === null) this.links.retire(link);
    else this.links.redirect(link, leader);
  }

  private async replaceStaleNode(link: Link): Promise<void> {
    this.links.retire(link);
    await this.clock.sleep(STALE_NODE_DELAY_MS);
  }

  private async withDeadline<T>(call: Call, answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    try {
      return await Promise.race([answer, this.rejectWhenOverdue(call, answered.signal)]);
    } finally {
      // A string reason avoids creating an Error, whose stack costs more than the rest of this function.
      answered.abort('answered');
    }
  }

  /** @throws when the deadline of the call has passed, or when its silent node is not the leader any more */
  private async rejectWhenOverdue(call: Call, answered: AbortSignal): Promise<never> {
    const end = this.clock.monotonic() + this.deadlineMs + GRACE_MS;
    for (let left = end; left > 0; left = end - this.clock.monotonic()) {
      await this.clock.sleep(Math.min(left, LEADER_CHECK_MS), answered);
      if (answered.aborted) return new Promise<never>(() => undefined);
      if (call.link !== null && (await this.links.isReplaced(call.link))) throw new LeaderReplaced();
    }
    throw new CallTimeout(this.deadlineMs);
  }
}

/**
 * Returns whether the error is a failure of the link. A timeout is not, while other calls over the link get responses: a
 * new link would end the subscriptions and cause more work for a busy node.
 */
function isOfLink(error: unknown, { isLinkAlive }: Call): boolean {
  if (needsOperator(error) || error instanceof PositionNotReached) return false;
  return !(isTimeout(error) && isLinkAlive);
}
