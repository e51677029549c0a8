import { spawnSync } from 'node:child_process';
import { Channel, credentials } from '@grpc/grpc-js';
import { isStoreClientError } from '../../src/startup/unhandled.js';

const MODULE = JSON.stringify(new URL('../../src/startup/unhandled.ts', import.meta.url).href);
const GRPC = JSON.stringify(import.meta.resolve('@grpc/grpc-js'));

/** Runs a process with an unhandled error; the process prints `continues` if it survives. */
function endOf(error: string) {
  const script = `
    import { surviveStoreClients } from ${MODULE};
    import grpc from ${GRPC};
    surviveStoreClients((message) => console.error('reported: ' + message));
    setTimeout(() => console.log('continues'), 50);
    ${error}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Makes calls as the EventStoreDB client does: an error thrown after an await rejects a promise without a handler. */
const BESIDE_ITS_PROMISE = `
  const channel = new grpc.Channel('127.0.0.1:1', grpc.credentials.createInsecure(), {});
  channel.close();
  Promise.resolve(['/x', Infinity, null, null, 0]).then((args) => channel.createCall(...args));`;

describe('An unhandled error', () => {
  it('is logged and survived when only a store client was on the stack', () => {
    const script = BESIDE_ITS_PROMISE.replace(
      /\(args\) => channel\.createCall\(\.\.\.args\)/,
      'Function.prototype.apply.bind(channel.createCall, channel)',
    );
    const { status, stdout, stderr } = endOf(script);

    expect(stderr).toContain('reported: A store client did not handle an error: Error: Channel has been shut down');
    expect([status, stdout]).toEqual([0, 'continues\n']);
  });

  it.each([
    ['the service threw it', `void Promise.reject(new Error('a mistake'));`, 'a mistake'],
    ['the service was on the stack when a client threw it', BESIDE_ITS_PROMISE, 'Channel has been shut down'],
    ['it is not an Error object', `void Promise.reject('a word');`, 'a word'],
  ])('ends the process when %s', (_, error, message) => {
    const { status, stdout, stderr } = endOf(error);

    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('reported:');
  });

  it('is classified by every file in its stack', () => {
    const channel = new Channel('127.0.0.1:1', credentials.createInsecure(), {});
    channel.close();
    let thrown: unknown;
    try {
      channel.createCall('/x', Infinity, null, null, 0);
    } catch (error) {
      thrown = error;
    }
    expect(isStoreClientError(thrown)).toBe(false);
    (thrown as Error).stack = (thrown as Error).stack!.split('\n').slice(0, 3).join('\n');
    expect(isStoreClientError(thrown)).toBe(true);
  });
});
