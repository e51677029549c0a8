import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Node, NodeClient } from './node-client.js';

/** One client of one node. A failed link is replaced by a new one with a new client. */
export class Link {
  /** The highest position that the node has returned over this link. */
  highestPosition: Position = START;
  /** How many responses the node has sent over this link, and pages of subscriptions. */
  responses = 0;
  private readonly controller = new AbortController();
  private calls = 0;

  constructor(
    readonly node: Node,
    readonly client: NodeClient,
  ) {}

  /** Aborts when the link is retired: followers of the log continue over another one. */
  get retired(): AbortSignal {
    return this.controller.signal;
  }

  recordPosition(position: Position): void {
    this.responses++;
    this.highestPosition = pickLater(this.highestPosition, position);
  }

  acquire(): void {
    this.calls++;
  }

  release(): void {
    this.calls--;
    this.closeWhenUnused();
  }

  /** Retires the link: it closes after its running calls. */
  retire(): void {
    this.controller.abort('left');
    this.closeWhenUnused();
  }

  private closeWhenUnused(): void {
    if (this.calls === 0 && this.retired.aborted) this.client.closeChannel();
  }
}
