import { Streams } from '../../src/engine/streams/streams.js';
import { EagerClock, SeededRandom } from './clock.js';
import { createContext, jar, type JarCommand } from './jar.js';
import { FaultyEventStore } from './memory/faulty-event-store.js';

export const addCoins = (coins: number, times?: number): JarCommand => ({ type: 'AddCoins', jarId: 'a', coins, times });
export const BREAK_JAR: JarCommand = { type: 'BreakJar', jarId: 'a' };

/** Creates a fixture that runs commands on the jar `a`, from any number of processes. */
export function createStreamsFixture(seed = 1) {
  const clock = new EagerClock();
  const store = new FaultyEventStore(clock);
  const process = (processSeed: number) => {
    const streams = new Streams(store, clock, new SeededRandom(processSeed));
    return {
      streams,
      run: (command: JarCommand, label: string, context = createContext(label)) =>
        streams.execute(jar, 'a', command, context),
    };
  };
  return { store, process, ...process(seed) };
}

export const readCoins = (store: FaultyEventStore): number[] =>
  store.log.map(({ data }) => (data as { coins: number }).coins);
