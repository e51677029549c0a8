import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6, SocketAddress } from 'node:net';

const HEADER_BYTES = 12;
const RESPONSE = 0x8180;
const NAME_ERROR = 3;
/** A compressed name: a pointer to the name in the question, which follows the header. */
const QUESTION_NAME_POINTER = Buffer.from([0xc0, HEADER_BYTES]);
const TYPES: Readonly<Record<number, 'A' | 'CNAME' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** In seconds. A record: another one for the addresses of each family. */
export type Ttl = number | Readonly<Record<'A' | 'AAAA', number>>;

/**
 * `null`: the server never responds, also under a name and a type (`example.com AAAA`). A text: the name is an alias of
 * another name. Otherwise: the addresses of the first lookup, the second lookup …; later lookups get the last entry.
 */
export type DnsAnswers = Readonly<Record<string, null | string | readonly (readonly string[])[]>>;

/** A DNS server on the loopback interface. A name without an entry does not exist. */
export class DnsServer {
  /** The name and type of each question received: `name A`. */
  readonly questions: string[] = [];
  private readonly lookupCounts = new Map<string, number>();
  private readonly socket: Socket;
  private readonly answers: DnsAnswers;
  private readonly ttl: Ttl;

  private constructor(socket: Socket, answers: DnsAnswers, ttl: Ttl) {
    this.socket = socket;
    this.answers = answers;
    this.ttl = ttl;
    socket.on('message', (message, from) => this.answer(message, from));
  }

  /** @param ttl of every answer */
  static async start(answers: DnsAnswers, ttl: Ttl = 0): Promise<DnsServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket, answers, ttl);
  }

  /** The address in the form that the configuration of the service expects. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(message: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = parseQuestion(message);
    this.questions.push(`${name} ${type}`);
    const found = this.answers[name];
    if (found === null || this.answers[`${name} ${type}`] === null) return;
    const records = found === undefined ? [] : this.findRecords(name, type, QUESTION_NAME_POINTER);
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt16BE(message.readUInt16BE(0), 0);
    header.writeUInt16BE(RESPONSE | (found === undefined ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    this.socket.send(Buffer.concat([header, message.subarray(HEADER_BYTES, end), ...records]), port, address);
  }

  private findRecords(name: string, type: string, owner: Buffer): Buffer[] {
    const found = this.answers[name];
    if (typeof found === 'string')
      return [this.encodeRecord(owner, 5, encodeName(found)), ...this.findRecords(found, type, encodeName(found))];
    const lookups = found ?? [];
    const lookup = this.lookupCounts.get(`${name} ${type}`) ?? 0;
    this.lookupCounts.set(`${name} ${type}`, lookup + 1);
    const addresses = lookups[Math.min(lookup, lookups.length - 1)] ?? [];
    const wanted = addresses.filter((address) => isIPv6(address) === (type === 'AAAA'));
    return wanted.map((address) => this.encodeRecord(owner, type === 'AAAA' ? 28 : 1, encodeAddress(address)));
  }

  private encodeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt32BE(typeof this.ttl === 'number' ? this.ttl : this.ttl[type === 28 ? 'AAAA' : 'A'], 4);
    fixed.writeUInt16BE(data.length, 8);
    return Buffer.concat([owner, fixed, data]);
  }
}

function parseQuestion(message: Buffer): { readonly name: string; readonly type: string; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: TYPES[message.readUInt16BE(at + 1)] ?? 'other', end: at + 5 };
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function encodeAddress(address: string): Buffer {
  return isIPv6(address) ? encodeIpv6(address) : Buffer.from(address.split('.').map(Number));
}

function encodeIpv6(address: string): Buffer {
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' });
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(canonical);
  const text =
    dotted === null
      ? canonical
      : `${dotted[1]}${toHexGroup(dotted[2]!, dotted[3]!)}:${toHexGroup(dotted[4]!, dotted[5]!)}`;
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return Buffer.from(
    [...left, ...(tail === undefined ? [] : zeros), ...right].flatMap((group) => toBytes(parseInt(group, 16))),
  );
}

function toHexGroup(a: string, b: string): string {
  return (Number(a) * 256 + Number(b)).toString(16);
}

function toBytes(group: number): number[] {
  return [group >> 8, group & 255];
}
