import type { Connection } from '../../../src/webhooks/delivery/http1/connection.js';
import { IdleConnections } from '../../../src/webhooks/delivery/http1/idle-connections.js';

const MAX_CONNECTIONS = 2_000;
const ORIGIN = 'https://receiver.example.com';

/** A connection that only remembers whether it is closed. */
class FakeConnection {
  isClosed = false;
  end: () => void = () => undefined;

  constructor(
    readonly origin = ORIGIN,
    readonly keepAliveMs: number | null = 4_000,
  ) {}

  rest(_: number, end: () => void): void {
    this.end = end;
  }

  wake(): void {
    this.end = () => undefined;
  }

  close(): void {
    this.isClosed = true;
  }
}

describe('The kept connections', () => {
  let idle: IdleConnections;
  beforeEach(() => (idle = new IdleConnections()));

  function keep(connection = new FakeConnection()): FakeConnection {
    idle.keep(connection as unknown as Connection);
    return connection;
  }

  it('are used from the latest to the earliest, each once, for their own origin', () => {
    const [first, second, other] = [keep(), keep(), keep(new FakeConnection('https://other.example.com'))];

    expect([idle.take(ORIGIN), idle.take(ORIGIN), idle.take(ORIGIN)]).toEqual([second, first, null]);
    expect(idle.take(other.origin)).toBe(other);
  });

  it('leave out those that have ended or cannot be kept', () => {
    keep().end();
    keep(new FakeConnection(ORIGIN, null));

    expect(idle.take(ORIGIN)).toBeNull();
  });

  it('are at most two thousand: one more is closed, until another one is used or ends', () => {
    const kept = Array.from({ length: MAX_CONNECTIONS }, () => keep());
    expect([keep().isClosed, kept.some(({ isClosed }) => isClosed)]).toEqual([true, false]);

    idle.take(ORIGIN);
    expect([keep().isClosed, keep().isClosed]).toEqual([false, true]);
    kept[0]!.end();
    expect([keep().isClosed, keep().isClosed]).toEqual([false, true]);
  });
});
