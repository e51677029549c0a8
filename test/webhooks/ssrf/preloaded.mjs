// Loaded into the service before anything else. Names resolve as a file says, differently each time where it says so, and every address
// that any socket of the process begins to connect to is written down, by Node's own account of it.
import dns from 'node:dns';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isIP, Socket } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const { REBINDING_ANSWERS: answersFile, REBINDING_DIALLED: dialledFile } = process.env;
/** By name: the addresses of its first lookup, of its second …; the last ones stay. Or the name that it is an alias of. */
const answers = new Map(Object.entries(JSON.parse(readFileSync(answersFile, 'utf8'))));

if (isMainThread) {
  dns.lookup = lookup;
  syncBuiltinESMExports();
  Socket.prototype.connect = observed(Socket.prototype.connect);
}

function lookup(name, options, callback) {
  const script = isIP(name) === 0 ? answers.get(name) : [[name]];
  if (script === undefined) return process.nextTick(callback, notFound(name));
  if (typeof script === 'string') return lookup(script, options, callback);
  const found = (script.length > 1 ? script.shift() : script[0]).map((address) => ({ address, family: isIP(address) }));
  process.nextTick(callback, null, ...(options.all ? [found] : [found[0].address, found[0].family]));
}

function notFound(hostname) {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname });
}

function observed(connect) {
  return function (...args) {
    this.on('connectionAttempt', (address) => appendFileSync(dialledFile, `${address}\n`));
    return connect.apply(this, args);
  };
}
