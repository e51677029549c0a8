import type { Credentials } from '@eventstore/db-client';

const FORM = /^esdb(?:\+discover)?:\/\/(?:([^:@/?#]+):([^:@/?#]+)@)?[^@/?#]+\/?(?:\?([^?]*))?$/;
const OPTIONS: readonly string[] = [
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'tlsverifycert',
  'usercertfile',
  'userkeyfile',
];

/** Where the store is, and as whom it is asked. */
export interface Address {
  /** `esdb://user:password@host:2113`, several hosts, or `esdb+discover://…`. */
  readonly connection: string;
  readonly credentials: Credentials;
}

/** @throws with every mistake, and with nothing of the text itself, which may hold a password */
export function addressIn(connection: string): Address {
  const [whole, user, password, query = ''] = FORM.exec(connection) ?? [];
  if (whole === undefined)
    throw new Error('expected esdb://user:password@host:port[,host:port…][?option=value…], the password percent-encoded');

  const options = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase().replace(/[_-]/g, ''), value]));
  const mistakes = mistakesIn(options, user !== undefined);
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  // An open connection drops credentials; those here make the client append with a call of its own all the same.
  const credentials = { username: decodeURIComponent(user ?? ''), password: decodeURIComponent(password ?? '') };
  return { connection, credentials };
}

function mistakesIn(options: ReadonlyMap<string, string>, hasCredentials: boolean): string[] {
  const isOpen = options.get('tls') === 'false';
  const unknown = [...options.keys()].filter((name) => !OPTIONS.includes(name));
  return [
    ...unknown.map((name) => `there is no option "${name}"`),
    ...(isOpen && hasCredentials ? ['credentials are not sent with tls=false: leave them out, or tls=false'] : []),
    ...(!isOpen && !hasCredentials ? ['a user and a password are needed, or tls=false'] : []),
    ...(options.get('throwonappendfailure') === 'false' ? ['throwOnAppendFailure must stay true'] : []),
    ...(options.get('tlsverifycert') === 'false' ? ['tlsVerifyCert cannot be turned off: name the authority in tlsCAFile'] : []),
  ];
}
