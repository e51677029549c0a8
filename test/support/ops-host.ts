// Runs commands of the operator's tool, one after another, as `dist/operations/ops.js` does alone in a process. Loading all modules costs
// a process most of its time; this one loads them once.
const OPS = new URL('../../dist/operations/ops.js', import.meta.url).href;
/** What a command listens to. */
const EVENTS = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const;

export interface Order {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface News {
  readonly out?: string;
  readonly err?: string;
  /** The command has ended. */
  readonly exitCode?: number;
}

let orders = 0;

forward(process.stdout, (out) => ({ out }));
forward(process.stderr, (err) => ({ err }));
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => void run(order));

async function run({ words, env }: Order): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, OPS, ...words];
  process.exitCode = undefined;
  orders += 1;
  // Another address, so that it runs again; the modules that it imports are there already.
  await import(`${OPS}?${orders}`);
  for (const event of EVENTS) process.removeAllListeners(event);
  process.stdout.removeAllListeners('error');
  process.send!({ exitCode: Number(process.exitCode ?? 0) } satisfies News);
}

function forward(stream: NodeJS.WriteStream, news: (text: string) => News): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    process.send!(news(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}
