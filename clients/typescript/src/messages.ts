/** A server-sent event. */
export interface Message {
  readonly id: string | null;
  readonly data: string;
  /** The pause before a new connection that the server asks for, in milliseconds. */
  readonly retryMs: number | null;
}

/** Parses the bytes of an event stream. Comments give no message. */
export async function* parseMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void, undefined> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let unparsed = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (unparsed + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      unparsed = blocks.pop()!;
      for (const block of blocks) yield parseBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): Message {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const valuesOf = (name: string) => fields.filter(([, each]) => each === name).map(([, , value]) => value!);
  const retry = valuesOf('retry').at(-1);
  return {
    id: valuesOf('id').at(-1) ?? null,
    data: valuesOf('data').join('\n'),
    retryMs: retry === undefined ? null : Number(retry),
  };
}
