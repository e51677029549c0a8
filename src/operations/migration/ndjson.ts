import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newUuid } from '../../kernel/ids.js';

const OWNER_ONLY_FILE_MODE = 0o600;
const NEWLINE = 0x0a;
const BUFFER_BYTES = 1024 * 1024;

/** Writes a file of JSON lines atomically. Only its owner can read it. */
export class NdjsonWriter {
  private readonly hash = createHash('sha256');
  private buffer: string[] = [];
  private bufferedCharacters = 0;

  private constructor(
    private readonly path: string,
    private readonly draft: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string): Promise<NdjsonWriter> {
    const draft = `${path}.${newUuid()}.part`;
    return new NdjsonWriter(path, draft, await open(draft, 'wx', OWNER_ONLY_FILE_MODE));
  }

  async write(record: object): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    this.buffer.push(line);
    this.bufferedCharacters += line.length;
    if (this.bufferedCharacters >= BUFFER_BYTES) await this.flush();
  }

  /** Returns the hash of all lines so far. */
  async digest(): Promise<string> {
    await this.flush();
    return this.hash.copy().digest('hex');
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.file.sync();
    await this.file.close();
    await rename(this.draft, this.path);
    const folder = await open(dirname(this.path));
    await folder.sync().finally(() => folder.close());
  }

  async discard(): Promise<void> {
    await this.file.close();
    await rm(this.draft, { force: true });
  }

  private async flush(): Promise<void> {
    const bytes = Buffer.from(this.buffer.join(''));
    [this.buffer, this.bufferedCharacters] = [[], 0];
    this.hash.update(bytes);
    await this.file.appendFile(bytes);
  }
}

/** Reads the lines of a file without their line ends. The last line may have no line end. */
export async function* readLines(path: string): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: BUFFER_BYTES })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield rest;
}
