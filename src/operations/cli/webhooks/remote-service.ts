import type { Mode } from '../../../kernel/event.js';
import { CliError } from '../cli.js';

const STREAM_PATH = '/v1/webhooks/events/stream';
const TOO_MANY_REQUESTS = 429;

interface Caller {
  readonly business: { readonly id: string };
  readonly mode: Mode;
}

/** Is called when a stream of events begins and when it ends. */
export interface StreamObserver {
  opened(): void;
  /** @param reason why the stream ended or did not begin: the code of the network error, or a sentence part */
  lost(reason: string): void;
}

/** The API of a service on another machine, with an API key. */
export class RemoteService {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /** @throws CliError */
  async readCaller(): Promise<{ readonly business: string; readonly mode: Mode }> {
    const { business, mode } = await this.get<Caller>('/v1/auth/me');
    return { business: business.id, mode };
  }

  /** @throws CliError when no service answers in time, or when it rejects the key */
  async checkCredential(timeoutMs: number): Promise<void> {
    await this.get('/v1/auth/me', AbortSignal.timeout(timeoutMs));
  }

  /** @throws CliError */
  async findLastEventId(): Promise<string | null> {
    const [last] = await this.get<readonly { readonly id: string }[]>('/v1/webhooks/events?limit=1');
    return last?.id ?? null;
  }

  /** Yields the data of each message. Ends when the connection is lost. @throws CliError when the key is rejected */
  async *readStream(
    query: URLSearchParams,
    observer: StreamObserver,
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    try {
      const response = await this.fetch(`${STREAM_PATH}?${query.toString()}`, signal);
      if (response.status >= 400 && response.status < 500 && response.status !== TOO_MANY_REQUESTS)
        throw await toCliError(response);
      if (!response.ok) return observer.lost(`status ${response.status}`);
      observer.opened();
      yield* readMessages(response.body!);
      observer.lost('the stream ended');
    } catch (error) {
      if (error instanceof CliError) throw error;
      observer.lost(findReason(error));
    }
  }

  private async get<T>(path: string, signal?: AbortSignal): Promise<T> {
    const response = await this.fetch(path, signal).catch((error: unknown) => {
      throw new CliError(`${this.url} cannot be reached: ${findReason(error)}`);
    });
    if (!response.ok) throw await toCliError(response);
    return ((await response.json()) as { readonly data: T }).data;
  }

  private fetch(path: string, signal?: AbortSignal): Promise<Response> {
    const headers = { authorization: `Bearer ${this.key}` };
    return fetch(this.url + path, { headers, ...(signal && { signal }) });
  }
}

/** Yields the data of server-sent events. Comments have no data. */
async function* readMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let unparsed = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (unparsed + text).split('\n\n');
    unparsed = blocks.pop()!;
    for (const block of blocks) {
      const line = block.split('\n').find((one) => one.startsWith('data: '));
      if (line !== undefined) yield line.slice('data: '.length);
    }
  }
}

async function toCliError(response: Response): Promise<CliError> {
  // A proxy may answer something other than a problem.
  const problem = (await response.json().catch(() => ({}))) as { readonly detail?: string; readonly title?: string };
  return new CliError(
    `the service responded with ${response.status}: ${problem.detail ?? problem.title ?? 'no detail'}`,
  );
}

function findReason(error: unknown): string {
  const { cause, message } = error as Error;
  return (cause as { readonly code?: string } | undefined)?.code ?? message;
}
