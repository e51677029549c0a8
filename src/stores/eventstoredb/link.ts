import { later, START, type Position } from '../../kernel/position.js';
import type { Node, NodeClient } from './node-client.js';

/** One client of one node. A failed link is replaced by a new one with a new client. */
export class Link {
  /** The highest position that the node has returned over this link. */
  shown: Position = START;
  private readonly end = new AbortController();
  private calls = 0;

  constructor(
    readonly node: Node,
    readonly client: NodeClient,
  ) {}

  /** Aborts when the link is retired: followers of the log continue over another one. */
  get left(): AbortSignal {
    return this.end.signal;
  }

  show(position: Position): void {
    this.shown = later(this.shown, position);
  }

  enter(): void {
    this.calls++;
  }

  exit(): void {
    this.calls--;
    this.shutWhenUnused();
  }

  /** Retires the link: it closes after its running calls. */
  leave(): void {
    this.end.abort('left');
    this.shutWhenUnused();
  }

  private shutWhenUnused(): void {
    if (this.calls === 0 && this.left.aborted) this.client.shut();
  }
}
