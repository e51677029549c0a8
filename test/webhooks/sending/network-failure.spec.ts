import { errors } from 'undici';
import { failureOf } from '../../../src/webhooks/sending/network-failure.js';

const coded = (code: string) => Object.assign(new Error('refused'), { code });

describe('An error of a send', () => {
  it.each([
    ['INVALID_PURPOSE', 'tls_failure'],
    ['PATH_LENGTH_EXCEEDED', 'tls_failure'],
    ['UNSPECIFIED', 'network_failure'],
    ['ERR_INVALID_URL', 'network_failure'],
    ['ERR_ASSERTION', 'network_failure'],
    ['E_NOBODY_KNOWS', 'network_failure'],
  ])('%s is a failed delivery: %s', (code, failure) => expect(failureOf(coded(code))).toBe(failure));

  it('without a code is one too', () => expect(failureOf(new Error('bad answer'))).toBe('network_failure'));

  it('of several addresses is that of the first', () =>
    expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]))).toBe('connection_refused'));

  it('is thrown when our own request is at fault', () => {
    const surprise = new errors.InvalidArgumentError('invalid header');
    expect(() => failureOf(surprise)).toThrow(surprise);
  });
});
