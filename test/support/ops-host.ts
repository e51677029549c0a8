// Runs commands of the operator's tool one after another, each as `dist/operations/cli/ops.js` does in its own process.
// Loading the modules takes most of the time of a command; this process loads them once.
const OPS = new URL('../../dist/operations/cli/ops.js', import.meta.url).href;
/** The process events that a command subscribes to. */
const EVENTS = ['SIGINT', 'SIGTERM', 'unhandledRejection'] as const;

export interface CommandRequest {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CommandOutput {
  readonly out?: string;
  readonly err?: string;
  /** Present once the command has ended. */
  readonly exitCode?: number;
}

let commandCount = 0;

forward(process.stdout, (out) => ({ out }));
forward(process.stderr, (err) => ({ err }));
process.on('disconnect', () => process.exit());
process.on('message', (order: CommandRequest) => void run(order));

async function run({ words, env }: CommandRequest): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, OPS, ...words];
  process.exitCode = undefined;
  commandCount += 1;
  process.off('SIGINT', ignoreLateSignal);
  // A new URL makes Node run the entry module again; the modules that it imports stay loaded.
  await import(`${OPS}?${commandCount}`);
  for (const event of EVENTS) process.removeAllListeners(event);
  process.on('SIGINT', ignoreLateSignal);
  process.stdout.removeAllListeners('error');
  process.send!({ exitCode: Number(process.exitCode ?? 0) } satisfies CommandOutput);
}

/** A signal may arrive after the command that it was sent to has ended. */
function ignoreLateSignal(): void {}

function forward(stream: NodeJS.WriteStream, news: (text: string) => CommandOutput): void {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    process.send!(news(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()));
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
}
