import type { StreamingRead } from '@eventstore/db-client';
import { LinkRetired } from './failures.js';
import type { Link } from './link.js';

/** A call that may use several links, one after another. A link stays open while a call uses it. */
export class Call {
  link: Link | null = null;
  hasEnded = false;
  private responsesBefore = 0;

  /** Whether the node has responded to other calls over the link since this call began to use it. */
  get isLinkAlive(): boolean {
    return this.link !== null && this.link.responses > this.responsesBefore;
  }

  moveTo(link: Link): Link {
    if (this.hasEnded) throw new LinkRetired();
    link.acquire();
    this.link?.release();
    this.responsesBefore = link.responses;
    return (this.link = link);
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.link?.release();
  }
}

export function collect<E>(asked: StreamingRead<E>): Promise<E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    asked.on('data', (event: E) => events.push(event));
    asked.on('end', () => resolve(events));
    asked.on('error', reject);
  });
}

export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
