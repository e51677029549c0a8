import { startTransition, useEffect, useRef, useState } from 'react';
import { send } from '../api/api';
import { readServerSentEvents } from './server-sent-events';

export interface LiveEvent {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
}

/** The list keeps this many events. A page that gets more between two drawings shows the newest. */
const KEPT = 25;
const RECONNECT_MS = 2_000;
/** Events are shown in groups, so that 200 a second do not draw the page 200 times. */
const DRAW_MS = 250;
const DRAWN_MAX = 5;

interface LiveState {
  readonly events: readonly LiveEvent[];
  readonly count: number;
}

/** Follows the event stream from the last event that came. */
export function useLiveEvents(isPaused: boolean): {
  readonly events: readonly LiveEvent[];
  /** The number of events that have come; not all are kept. */
  readonly count: number;
  readonly error: Error | null;
} {
  const [{ events, count }, setState] = useState<LiveState>({ events: [], count: 0 });
  const [error, setError] = useState<Error | null>(null);
  const lastId = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (isPaused) return;
    const closing = new AbortController();
    let arrived: LiveEvent[] = [];
    const drawing = setInterval(() => {
      if (arrived.length === 0) return;
      const [more, group] = [arrived.length, arrived.slice(-DRAWN_MAX).reverse()];
      arrived = [];
      // A transition is rendered in short tasks.
      startTransition(() =>
        setState((known) => ({ events: [...group, ...known.events].slice(0, KEPT), count: known.count + more })),
      );
    }, DRAW_MS);
    const take = (event: LiveEvent) => {
      lastId.current = event.id;
      arrived.push(event);
    };
    void follow(lastId, take, setError, closing.signal);
    return () => {
      closing.abort();
      clearInterval(drawing);
    };
  }, [isPaused]);
  return { events, count, error };
}

async function follow(
  lastId: { readonly current: string | undefined },
  take: (event: LiveEvent) => void,
  setError: (error: Error | null) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send('GET', '/v1/webhooks/events/stream', { query: { after: lastId.current }, signal });
      if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
      setError(null);
      for await (const data of readServerSentEvents(response.body!)) take(JSON.parse(data) as LiveEvent);
    } catch (error) {
      if (!signal.aborted) setError(error as Error);
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
  }
}
