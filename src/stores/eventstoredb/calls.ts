import type { StreamingRead } from '@eventstore/db-client';
import { LeftMeanwhile } from './failures.js';
import type { Link } from './link.js';

/** A call that may use several links, one after another. A link stays open while a call uses it. */
export class Call {
  link: Link | null = null;
  hasEnded = false;

  over(link: Link): Link {
    if (this.hasEnded) throw new LeftMeanwhile();
    link.enter();
    this.link?.exit();
    return (this.link = link);
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.link?.exit();
  }
}

export function collected<E>(asked: StreamingRead<E>): Promise<E[]> {
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
