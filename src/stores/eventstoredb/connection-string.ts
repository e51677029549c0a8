import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Credentials } from '@eventstore/db-client';
import { findFileProblem } from '../file-problem.js';
import type { SearchOptions } from './leader-search.js';
import type { Node, NodeOptions } from './node-client.js';

const FORM = /^esdb(?:\+discover)?:\/\/(?:([^:@/?#]+):([^:@/?#]+)@)?([^@/?#]+)\/?(?:\?([^?]+))?$/;
/** The host names that the client accepts. */
const HOST = /^[\w.-]+(?::(\d{1,5}))?$/;
const LARGEST_PORT = 65_535;
const DEFAULT_PORT = 2_113;
const SEARCH = { attempts: 10, intervalMs: 100, gossipSeconds: 5 };

type Check = (value: string) => string | null;

const acceptAny: Check = () => null;
const checkFlag: Check = (value) => (value === 'true' || value === 'false' ? null : 'has to be true or false');
const checkPositive: Check = (value) => (/^[1-9]\d*$/.test(value) ? null : 'has to be a whole number above 0');
const checkInterval: Check = (value) =>
  /^(-1|\d+)$/.test(value) ? null : 'has to be a whole number of milliseconds, or -1';
const checkNode: Check = (value) =>
  /^(leader|follower|random|read[_-]?only[_-]?replica)$/i.test(value)
    ? null
    : 'has to be leader, follower, random or read_only_replica';

/** The options by their normalised names, as the client compares them. */
const OPTIONS: Readonly<Record<string, { readonly name: string; readonly check: Check }>> = {
  connectionname: { name: 'connectionName', check: acceptAny },
  defaultdeadline: { name: 'defaultDeadline', check: checkPositive },
  discoveryinterval: { name: 'discoveryInterval', check: checkPositive },
  gossiptimeout: { name: 'gossipTimeout', check: checkPositive },
  keepaliveinterval: { name: 'keepAliveInterval', check: checkInterval },
  keepalivetimeout: { name: 'keepAliveTimeout', check: checkInterval },
  maxdiscoverattempts: { name: 'maxDiscoverAttempts', check: checkPositive },
  nodepreference: { name: 'nodePreference', check: checkNode },
  throwonappendfailure: {
    name: 'throwOnAppendFailure',
    check: (value) => (value === 'true' ? null : 'must stay true'),
  },
  tls: { name: 'tls', check: checkFlag },
  tlscafile: { name: 'tlsCAFile', check: findFileProblem },
  tlsverifycert: {
    name: 'tlsVerifyCert',
    check: (value) => (value === 'true' ? null : 'cannot be turned off: name the authority in tlsCAFile'),
  },
  usercertfile: { name: 'userCertFile', check: findFileProblem },
  userkeyfile: { name: 'userKeyFile', check: findFileProblem },
};

/** The nodes of the store, the credentials and the options of a connection string. */
export interface ConnectionConfig {
  readonly nodes: readonly Node[];
  /** The nodes form a cluster: the string names several nodes, or a DNS name for several. */
  readonly isCluster: boolean;
  readonly client: NodeOptions;
  readonly search: SearchOptions;
}

/** Parses a connection string. @throws with all mistakes and without the text itself, which may hold a password */
export function parseConnectionString(connection: string): ConnectionConfig {
  const [whole, user, password, hosts = '', query = ''] = FORM.exec(connection) ?? [];
  const [name, secret] = [decodePart(user ?? ''), decodePart(password ?? '')];
  if (whole === undefined || name === null || secret === null)
    throw new Error(
      'expected esdb://user:password@host:port[,host:port…][?option=value…], the password percent-encoded',
    );

  const options = parseOptions(query);
  const mistakes = [
    ...findHostProblems(hosts),
    ...findOptionProblems(options),
    ...findCredentialProblems(options, user !== undefined),
  ];
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  const nodes = parseNodes(hosts);
  const credentials = user === undefined ? null : { username: name, password: secret };
  const isCluster = nodes.length > 1 || connection.startsWith('esdb+discover:');
  return { nodes, isCluster, client: toClientOptions(options, credentials), search: toSearchOptions(options) };
}

function toClientOptions(options: ReadonlyMap<string, string | null>, credentials: Credentials | null): NodeOptions {
  const number = (name: string) => readNumber(options, name);
  const file = (name: string) => (options.get(name) == null ? null : readFileSync(resolve(options.get(name)!)));
  return {
    isInsecure: options.get('tls') === 'false',
    credentials,
    authority: file('tlscafile'),
    certificate: file('usercertfile'),
    key: file('userkeyfile'),
    name: options.get('connectionname') ?? null,
    keepAliveIntervalMs: number('keepaliveinterval'),
    keepAliveTimeoutMs: number('keepalivetimeout'),
  };
}

/** The gossip timeout is in seconds in the connection string, as in the client. */
function toSearchOptions(options: ReadonlyMap<string, string | null>): SearchOptions {
  return {
    attempts: readNumber(options, 'maxdiscoverattempts') ?? SEARCH.attempts,
    intervalMs: readNumber(options, 'discoveryinterval') ?? SEARCH.intervalMs,
    gossipMs: 1_000 * (readNumber(options, 'gossiptimeout') ?? SEARCH.gossipSeconds),
  };
}

function readNumber(options: ReadonlyMap<string, string | null>, name: string): number | null {
  const value = options.get(name);
  return value == null ? null : Number(value);
}

function parseNodes(hosts: string): Node[] {
  return hosts.split(',').map((host) => {
    const [address = '', port] = host.split(':');
    return { address, port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/** Parses the options; the value is null when the text is not an option. */
function parseOptions(query: string): Map<string, string | null> {
  const parts = query === '' ? [] : query.split('&');
  return new Map(
    parts.map((part) => {
      const [, name = part, value = ''] = /^([^=]+)=(.*)$/.exec(part) ?? [];
      return [name.toLowerCase().replace(/[_-]/g, ''), value === '' ? null : decodePart(value)];
    }),
  );
}

function findHostProblems(hosts: string): string[] {
  const areHosts = hosts.split(',').every((host) => {
    const [found, port = '2113'] = HOST.exec(host) ?? [];
    return found !== undefined && Number(port) > 0 && Number(port) <= LARGEST_PORT;
  });
  return areHosts ? [] : ['each host has to be host:port, the port 1 to 65535'];
}

function findOptionProblems(options: ReadonlyMap<string, string | null>): string[] {
  return [...options].flatMap(([given, value]) => {
    const option = Object.hasOwn(OPTIONS, given) ? OPTIONS[given] : undefined;
    if (option === undefined) return [`there is no option "${given}"`];
    const wrong = value === null ? 'has no value that can be read' : option.check(value);
    return wrong === null ? [] : [`${option.name} ${wrong}`];
  });
}

function findCredentialProblems(options: ReadonlyMap<string, string | null>, hasCredentials: boolean): string[] {
  const isOpen = options.get('tls') === 'false';
  const [hasCertificate, hasKey] = [options.has('usercertfile'), options.has('userkeyfile')];
  return [
    ...(isOpen && hasCredentials ? ['credentials are not sent with tls=false: leave them out, or tls=false'] : []),
    ...(!isOpen && !hasCredentials && !hasCertificate ? ['a user and a password are needed, or tls=false'] : []),
    ...(isOpen && hasCertificate ? ['a certificate is not sent with tls=false: leave it out, or tls=false'] : []),
    ...(hasCertificate !== hasKey ? ['userCertFile and userKeyFile are needed both, or neither'] : []),
  ];
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
