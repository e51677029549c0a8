import { later, START, type Position } from '../../kernel/position.js';
import type { Node, NodeClient } from './node-client.js';

/** The use of one client of one node: nothing that failed is kept by the next one. */
export class Link {
  /** The highest position that the node has shown over this link. */
  shown: Position = START;
  private readonly end = new AbortController();
  private calls = 0;

  constructor(
    readonly node: Node,
    readonly client: NodeClient,
  ) {}

  /** Aborts when the link is left: what follows the log over it begins again over another one. */
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

  /** Calls that are under way may end; then the connection is closed. */
  leave(): void {
    this.end.abort('left');
    this.shutWhenUnused();
  }

  private shutWhenUnused(): void {
    if (this.calls === 0 && this.left.aborted) this.client.shut();
  }
}
