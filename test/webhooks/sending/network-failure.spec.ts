import { errors } from 'undici';
import { failureOf } from '../../../src/webhooks/sending/network-failure.js';

const coded = (code: string) => Object.assign(new Error('refused'), { code });

describe('The mapping of a send error', () => {
  it.each([
    ['INVALID_PURPOSE', 'tls_failure'],
    ['PATH_LENGTH_EXCEEDED', 'tls_failure'],
    ['UNSPECIFIED', 'network_failure'],
    ['ERR_INVALID_URL', 'network_failure'],
    ['ERR_ASSERTION', 'network_failure'],
    ['E_NOBODY_KNOWS', 'network_failure'],
  ])('maps %s to the failure %s', (code, failure) => expect(failureOf(coded(code))).toBe(failure));

  it('maps an error without a code to a network failure', () => expect(failureOf(new Error('bad answer'))).toBe('network_failure'));

  it('uses the error of the first of several addresses', () =>
    expect(failureOf(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]))).toBe('connection_refused'));

  it('throws an error that the request of this service has caused', () => {
    const surprise = new errors.InvalidArgumentError('invalid header');
    expect(() => failureOf(surprise)).toThrow(surprise);
  });
});
