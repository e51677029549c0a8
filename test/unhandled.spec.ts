import { spawnSync } from 'node:child_process';
import { Channel, credentials } from '@grpc/grpc-js';
import { isOfStoreClient } from '../src/unhandled.js';

const MODULE = JSON.stringify(new URL('../src/unhandled.ts', import.meta.url).href);
const GRPC = JSON.stringify(import.meta.resolve('@grpc/grpc-js'));

/** A process that is told of an error that nobody handles, and says so if it goes on. */
function endOf(error: string) {
  const script = `
    import { surviveStoreClients } from ${MODULE};
    import grpc from ${GRPC};
    surviveStoreClients((message) => console.error('told: ' + message));
    setTimeout(() => console.log('goes on'), 50);
    ${error}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** As the client of EventStoreDB makes its calls: what is thrown after an await settles nothing that anybody waits for. */
const BESIDE_ITS_PROMISE = `
  const channel = new grpc.Channel('127.0.0.1:1', grpc.credentials.createInsecure(), {});
  channel.close();
  Promise.resolve(['/x', Infinity, null, null, 0]).then((args) => channel.createCall(...args));`;

describe('An error that nobody handles', () => {
  it('is told and survived when only the client of a store was at work', () => {
    const script = BESIDE_ITS_PROMISE.replace(
      /\(args\) => channel\.createCall\(\.\.\.args\)/,
      'Function.prototype.apply.bind(channel.createCall, channel)',
    );
    const { status, stdout, stderr } = endOf(script);

    expect(stderr).toContain("told: A store's client left an error unhandled: Error: Channel has been shut down");
    expect([status, stdout]).toEqual([0, 'goes on\n']);
  });

  it.each([
    ['the service made it', `void Promise.reject(new Error('a mistake'));`, 'a mistake'],
    ['the service was at work when a client made it', BESIDE_ITS_PROMISE, 'Channel has been shut down'],
    ['it is no error at all', `void Promise.reject('a word');`, 'a word'],
  ])('ends the process when %s', (_, error, message) => {
    const { status, stdout, stderr } = endOf(error);

    expect(status).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('told:');
  });

  it('is judged by every file in its stack', () => {
    const channel = new Channel('127.0.0.1:1', credentials.createInsecure(), {});
    channel.close();
    let thrown: unknown;
    try {
      channel.createCall('/x', Infinity, null, null, 0);
    } catch (error) {
      thrown = error;
    }
    expect(isOfStoreClient(thrown)).toBe(false);
    (thrown as Error).stack = (thrown as Error).stack!.split('\n').slice(0, 3).join('\n');
    expect(isOfStoreClient(thrown)).toBe(true);
  });
});
