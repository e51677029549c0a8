import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { BSON, type Document, MongoClient } from 'mongodb';

/**
 * `healthy`: a majority has every write. `isolated`: the primary applies writes that no secondary has, and reports the
 * missing replication afterwards. `deposed`: another primary was elected; this one refuses writes and answers reads
 * from its old data. `elected`: it has become the primary, has every acknowledged write, and answers a majority read
 * from an older majority until its first write is committed.
 */
type State = 'healthy' | 'isolated' | 'deposed' | 'elected';

const OP_REPLY = 1;
const OP_MSG = 2013;
/** The document of a reply to the handshake. */
const REPLY_DOCUMENT_AT = 36;
const OP_CODE_AT = 12;
const HEADER_BYTES = 16;
/** The header, the flags, and the kind of the first section. */
const BODY_AT = HEADER_BYTES + 5;
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const READS = new Set(['find', 'aggregate']);
const NOT_REPLICATED = {
  code: new BSON.Int32(64),
  codeName: 'WriteConcernFailed',
  errmsg: 'waiting for replication timed out',
  errInfo: { wtimeout: true },
};
const DEPOSED = { ok: 0, code: new BSON.Int32(10107), codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const RAW = { promoteValues: false };

/**
 * Simulates the primary of a replica set as a proxy in front of one standalone server. The client's database holds the
 * majority's data; a copy of that database holds the data that only this primary has.
 */
export class IsolatedPrimary {
  /** Every read command received. */
  readonly reads: Document[] = [];
  /** Every `createIndexes` command received. */
  readonly indexings: Document[] = [];
  /** How long each index takes. */
  indexMs = 0;
  private state: State = 'healthy';
  /** The change of each pending response, by request. */
  private readonly responseChanges = new Map<string, (answer: Document) => Document>();
  private connections = 0;
  private elections = 1;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  /** @param url of a database on the standalone server */
  static async startFor(url: string): Promise<IsolatedPrimary> {
    const primary = new IsolatedPrimary(createServer(), new URL(url));
    primary.server.on('connection', (socket: Socket) => primary.proxyConnection(socket));
    primary.server.listen(0, '127.0.0.1');
    await once(primary.server, 'listening');
    return primary;
  }

  get url(): string {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return String(url);
  }

  /** Isolates the primary: it applies writes that no majority has. */
  async isolate(): Promise<void> {
    await this.copy();
    this.state = 'isolated';
  }

  /** Deposes the primary: it still answers although another primary was elected. */
  async depose(): Promise<void> {
    await this.copy();
    this.state = 'deposed';
  }

  /** Keeps the data of this moment: what the majority has, as far as the secondary knows that is elected later. */
  async remember(): Promise<void> {
    await this.copy();
  }

  /** Elects a secondary that has not learned yet which of the writes since `remember` a majority has. */
  elect(): void {
    this.state = 'elected';
    this.elections += 1;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Returns to the replica set and rolls back the data that only this primary had. */
  rejoin(): void {
    this.state = 'healthy';
  }

  close(): void {
    this.server.close();
  }

  private async copy(): Promise<void> {
    const client = new MongoClient(String(this.target));
    const [from, to] = [client.db(), client.db(this.copyName)];
    await to.dropDatabase();
    for (const { name } of await from.listCollections().toArray()) {
      const documents = await from.collection(name).find().toArray();
      if (documents.length > 0) await to.collection(name).insertMany(documents);
    }
    await client.close();
  }

  private get copyName(): string {
    return `${this.target.pathname.slice(1)}-aside`;
  }

  private proxyConnection(near: Socket): void {
    this.sockets.add(near);
    near.once('close', () => this.sockets.delete(near));
    const far = connect(Number(this.target.port), this.target.hostname);
    const connection = ++this.connections;
    forEachMessage(near, (message) => {
      const rewritten = this.rewriteRequest(message, connection);
      if (this.indexMs > 0 && nameOf(message) === 'createIndexes') setTimeout(() => far.write(rewritten), this.indexMs);
      else far.write(rewritten);
    });
    forEachMessage(far, (message) => near.write(this.rewriteResponse(message, connection)));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }

  private rewriteRequest(message: Buffer, connection: number): Buffer {
    if (message.readInt32LE(OP_CODE_AT) !== OP_MSG) return message;
    const command = parseBody(message);
    const [name] = Object.keys(command);
    if (READS.has(name!)) this.reads.push(command);
    if (name === 'createIndexes') this.indexings.push(command);
    if (this.state === 'healthy') return message;
    const level = (command.readConcern as { level?: string } | undefined)?.level;
    const isWrite = WRITES.has(name!);
    if (!isWrite && !READS.has(name!)) return message;
    if (this.state === 'elected') {
      if (isWrite) this.state = 'healthy';
      return isWrite || level !== 'majority' ? message : replaceBody(message, { ...command, $db: this.copyName });
    }

    const answerAs = (change: (answer: Document) => Document) =>
      this.responseChanges.set(`${connection}:${message.readInt32LE(4)}`, change);
    const needsOthers = isWrite || level === 'linearizable';
    if (this.state === 'deposed' && needsOthers) {
      answerAs(() => DEPOSED);
      return replaceBody(message, { ping: 1, $db: command.$db as string });
    }
    if (needsOthers && Number((command.writeConcern as { w?: unknown } | undefined)?.w) !== 1)
      answerAs((answer) => ({ ...answer, writeConcernError: NOT_REPLICATED }));
    const showsMajority = this.state === 'isolated' && level !== undefined && level !== 'local';
    return showsMajority ? message : replaceBody(message, { ...command, $db: this.copyName });
  }

  /** The standalone server describes itself as the primary of a replica set with one member. */
  private announceReplicaSet(message: Buffer): Buffer {
    const described = BSON.deserialize(message.subarray(REPLY_DOCUMENT_AT), RAW);
    const { host } = new URL(this.url);
    const electionId = BSON.ObjectId.createFromHexString(this.elections.toString(16).padStart(24, '0'));
    const replicaSet = { setName: 'rs', setVersion: 1, electionId, hosts: [host], me: host };
    return toMessage(message.subarray(0, REPLY_DOCUMENT_AT), { ...described, ...replicaSet });
  }

  private rewriteResponse(message: Buffer, connection: number): Buffer {
    if (message.readInt32LE(OP_CODE_AT) === OP_REPLY) return this.announceReplicaSet(message);
    const key = `${connection}:${message.readInt32LE(8)}`;
    const change = this.responseChanges.get(key);
    this.responseChanges.delete(key);
    return change === undefined ? message : replaceBody(message, change(parseBody(message)));
  }
}

function toMessage(head: Buffer, document: Document): Buffer {
  const changed = Buffer.concat([head, BSON.serialize(document)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

function nameOf(message: Buffer): string | undefined {
  return message.readInt32LE(OP_CODE_AT) === OP_MSG ? Object.keys(parseBody(message))[0] : undefined;
}

function parseBody(message: Buffer): Document {
  return BSON.deserialize(message.subarray(BODY_AT, BODY_AT + message.readInt32LE(BODY_AT)), RAW);
}

/** Replaces the body of a message and keeps the other sections. */
function replaceBody(message: Buffer, body: Document): Buffer {
  const rest = 'ping' in body ? Buffer.alloc(0) : message.subarray(BODY_AT + message.readInt32LE(BODY_AT));
  const changed = Buffer.concat([message.subarray(0, BODY_AT), BSON.serialize(body), rest]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

function forEachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    for (let size = readSize(bytes); size <= bytes.length; size = readSize(bytes)) {
      take(bytes.subarray(0, size));
      bytes = bytes.subarray(size);
    }
  });
}

function readSize(bytes: Buffer): number {
  return bytes.length < HEADER_BYTES ? Infinity : bytes.readInt32LE(0);
}
