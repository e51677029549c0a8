/** A message of an event stream. */
export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows the event that it expects
  readonly data: any;
}

/** One connection to an event stream. */
export class EventReader {
  readonly messages: StreamMessage[] = [];
  /** Everything received, with comments. */
  text = '';
  /** Resolves when either side has ended the connection. */
  readonly ended: Promise<void>;
  readonly response: Response;
  private readonly controller: AbortController;
  private readonly waiting = new Set<() => void>();
  private unparsed = '';

  private constructor(response: Response, onMessage: (message: StreamMessage) => void, controller: AbortController) {
    this.response = response;
    this.controller = controller;
    this.ended = this.read(onMessage)
      .catch(() => undefined)
      .finally(() => this.wake());
  }

  static async open(
    address: string,
    headers: Readonly<Record<string, string>>,
    onMessage: (message: StreamMessage) => void = () => undefined,
  ): Promise<EventReader> {
    const controller = new AbortController();
    return new EventReader(await fetch(address, { headers, signal: controller.signal }), onMessage, controller);
  }

  /** Cuts the connection. */
  async cut(): Promise<void> {
    this.controller.abort();
    await this.ended;
  }

  async waitFor(count: number): Promise<readonly StreamMessage[]> {
    while (this.messages.length < count && !this.controller.signal.aborted)
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    return this.messages;
  }

  private async read(onMessage: (message: StreamMessage) => void): Promise<void> {
    for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) {
      this.text += chunk;
      const parts = (this.unparsed + chunk).split('\n\n');
      this.unparsed = parts.pop()!;
      for (const message of parts.map(parse).filter((each) => each !== null)) {
        this.messages.push(message);
        onMessage(message);
      }
      this.wake();
    }
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}

function parse(part: string): StreamMessage | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1];
  const [id, event, data] = [field('id'), field('event'), field('data')];
  return id === undefined || event === undefined || data === undefined ? null : { id, event, data: JSON.parse(data) };
}
