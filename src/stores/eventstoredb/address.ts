import type { Credentials } from '@eventstore/db-client';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { unreadable } from '../unreadable.js';
import type { Node, NodeOptions } from './node-client.js';
import type { SearchPace } from './search.js';

const FORM = /^esdb(?:\+discover)?:\/\/(?:([^:@/?#]+):([^:@/?#]+)@)?([^@/?#]+)\/?(?:\?([^?]+))?$/;
/** The host names that the client accepts. */
const HOST = /^[\w.-]+(?::(\d{1,5}))?$/;
const LARGEST_PORT = 65_535;
const DEFAULT_PORT = 2_113;
const SEARCH = { attempts: 10, intervalMs: 100, gossipSeconds: 5 };

type Check = (value: string) => string | null;

const anything: Check = () => null;
const flag: Check = (value) => (value === 'true' || value === 'false' ? null : 'has to be true or false');
const positive: Check = (value) => (/^[1-9]\d*$/.test(value) ? null : 'has to be a whole number above 0');
const interval: Check = (value) => (/^(-1|\d+)$/.test(value) ? null : 'has to be a whole number of milliseconds, or -1');
const node: Check = (value) =>
  /^(leader|follower|random|read[_-]?only[_-]?replica)$/i.test(value) ? null : 'has to be leader, follower, random or read_only_replica';

/** The options by their normalised names, as the client compares them. */
const OPTIONS: Readonly<Record<string, { readonly name: string; readonly check: Check }>> = {
  connectionname: { name: 'connectionName', check: anything },
  defaultdeadline: { name: 'defaultDeadline', check: positive },
  discoveryinterval: { name: 'discoveryInterval', check: positive },
  gossiptimeout: { name: 'gossipTimeout', check: positive },
  keepaliveinterval: { name: 'keepAliveInterval', check: interval },
  keepalivetimeout: { name: 'keepAliveTimeout', check: interval },
  maxdiscoverattempts: { name: 'maxDiscoverAttempts', check: positive },
  nodepreference: { name: 'nodePreference', check: node },
  throwonappendfailure: { name: 'throwOnAppendFailure', check: (value) => (value === 'true' ? null : 'must stay true') },
  tls: { name: 'tls', check: flag },
  tlscafile: { name: 'tlsCAFile', check: unreadable },
  tlsverifycert: {
    name: 'tlsVerifyCert',
    check: (value) => (value === 'true' ? null : 'cannot be turned off: name the authority in tlsCAFile'),
  },
  usercertfile: { name: 'userCertFile', check: unreadable },
  userkeyfile: { name: 'userKeyFile', check: unreadable },
};

/** The nodes of the store, the credentials and the options of a connection string. */
export interface Address {
  readonly nodes: readonly Node[];
  /** The nodes form a cluster: the string names several nodes, or a DNS name for several. */
  readonly isCluster: boolean;
  readonly client: NodeOptions;
  readonly search: SearchPace;
}

/** Parses a connection string. @throws with all mistakes and without the text itself, which may hold a password */
export function addressIn(connection: string): Address {
  const [whole, user, password, hosts = '', query = ''] = FORM.exec(connection) ?? [];
  const [name, secret] = [decoded(user ?? ''), decoded(password ?? '')];
  if (whole === undefined || name === null || secret === null)
    throw new Error('expected esdb://user:password@host:port[,host:port…][?option=value…], the password percent-encoded');

  const options = optionsIn(query);
  const mistakes = [...mistakesInHosts(hosts), ...mistakesIn(options), ...mistakesOfUser(options, user !== undefined)];
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  const nodes = nodesIn(hosts);
  const credentials = user === undefined ? null : { username: name, password: secret };
  const isCluster = nodes.length > 1 || connection.startsWith('esdb+discover:');
  return { nodes, isCluster, client: clientOptions(options, credentials), search: searchPace(options) };
}

function clientOptions(options: ReadonlyMap<string, string | null>, credentials: Credentials | null): NodeOptions {
  const number = (name: string) => numberIn(options, name);
  const file = (name: string) => (options.get(name) == null ? null : readFileSync(resolve(options.get(name)!)));
  return {
    isOpen: options.get('tls') === 'false',
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
function searchPace(options: ReadonlyMap<string, string | null>): SearchPace {
  return {
    attempts: numberIn(options, 'maxdiscoverattempts') ?? SEARCH.attempts,
    intervalMs: numberIn(options, 'discoveryinterval') ?? SEARCH.intervalMs,
    gossipMs: 1_000 * (numberIn(options, 'gossiptimeout') ?? SEARCH.gossipSeconds),
  };
}

function numberIn(options: ReadonlyMap<string, string | null>, name: string): number | null {
  const value = options.get(name);
  return value == null ? null : Number(value);
}

function nodesIn(hosts: string): Node[] {
  return hosts.split(',').map((host) => {
    const [address = '', port] = host.split(':');
    return { address, port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/** Parses the options; the value is null when the text is not an option. */
function optionsIn(query: string): Map<string, string | null> {
  const parts = query === '' ? [] : query.split('&');
  return new Map(
    parts.map((part) => {
      const [, name = part, value = ''] = /^([^=]+)=(.*)$/.exec(part) ?? [];
      return [name.toLowerCase().replace(/[_-]/g, ''), value === '' ? null : decoded(value)];
    }),
  );
}

function mistakesInHosts(hosts: string): string[] {
  const areHosts = hosts.split(',').every((host) => {
    const [found, port = '2113'] = HOST.exec(host) ?? [];
    return found !== undefined && Number(port) > 0 && Number(port) <= LARGEST_PORT;
  });
  return areHosts ? [] : ['each host has to be host:port, the port 1 to 65535'];
}

function mistakesIn(options: ReadonlyMap<string, string | null>): string[] {
  return [...options].flatMap(([given, value]) => {
    const option = Object.hasOwn(OPTIONS, given) ? OPTIONS[given] : undefined;
    if (option === undefined) return [`there is no option "${given}"`];
    const wrong = value === null ? 'has no value that can be read' : option.check(value);
    return wrong === null ? [] : [`${option.name} ${wrong}`];
  });
}

function mistakesOfUser(options: ReadonlyMap<string, string | null>, hasCredentials: boolean): string[] {
  const isOpen = options.get('tls') === 'false';
  const [hasCertificate, hasKey] = [options.has('usercertfile'), options.has('userkeyfile')];
  return [
    ...(isOpen && hasCredentials ? ['credentials are not sent with tls=false: leave them out, or tls=false'] : []),
    ...(!isOpen && !hasCredentials && !hasCertificate ? ['a user and a password are needed, or tls=false'] : []),
    ...(isOpen && hasCertificate ? ['a certificate is not sent with tls=false: leave it out, or tls=false'] : []),
    ...(hasCertificate !== hasKey ? ['userCertFile and userKeyFile are needed both, or neither'] : []),
  ];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
