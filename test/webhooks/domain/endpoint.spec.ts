import { fold } from '../../../src/kernel/decider.js';
import { ownState } from '../../../src/kernel/ownership.js';
import {
  type EndpointCommand,
  endpointDecider,
  type EndpointEvent,
  toEndpointState,
} from '../../../src/webhooks/domain/endpoint.js';
import { given } from '../../support/given.js';
import { SETTINGS } from '../facts.js';

const facts = { ...SETTINGS, endpointId: 'whs_1', businessId: 'biz_1', mode: 'live', secretId: 'sec_1' } as const;
const create: EndpointCommand = { type: 'CreateEndpoint', status: 'enabled', ...facts };
const created: EndpointEvent = { type: 'EndpointCreated', data: facts };
const disabled: EndpointEvent = { type: 'EndpointDisabled', data: { endpointId: 'whs_1', reason: 'manual' } };
const enabled: EndpointEvent = { type: 'EndpointEnabled', data: { endpointId: 'whs_1' } };
const rotated: EndpointEvent = {
  type: 'SecretRotated',
  data: { endpointId: 'whs_1', secretId: 'sec_2', replacedId: 'sec_1' },
};
const deleted: EndpointEvent = { type: 'EndpointDeleted', data: { endpointId: 'whs_1' } };
const abandoned: EndpointEvent = { type: 'EndpointAbandoned', data: { endpointId: 'whs_1' } };
const edit: EndpointCommand = { type: 'EditEndpoint', changes: {}, status: null };

describe('An endpoint', () => {
  it('is created with the id of its secret', () => given(endpointDecider).when(create).then(created));

  it('may be created disabled', () =>
    given(endpointDecider)
      .when({ ...create, status: 'disabled' })
      .then(created, disabled));

  it('is created once', () => given(endpointDecider, created).when(create).thenNothing());

  it('is not created after it was abandoned', () =>
    given(endpointDecider, abandoned).when(create).thenRejects('concurrent_update'));

  it('records only changed settings', () =>
    given(endpointDecider, created)
      .when({ ...edit, changes: { url: SETTINGS.url, description: 'Ours' } })
      .then({ type: 'EndpointEdited', data: { endpointId: 'whs_1', changes: { description: 'Ours' } } }));

  it('records nothing when nothing changes', () =>
    given(endpointDecider, created)
      .when({ ...edit, changes: { ...SETTINGS }, status: 'enabled' })
      .thenNothing());

  it('compares its notification addresses by their hashes', () => {
    const [ada, bob] = ['ada', 'bob'].map((name) => ({ box: `first ${name}`, hash: name }));
    const edited: EndpointEvent = {
      type: 'EndpointEdited',
      data: { endpointId: 'whs_1', changes: { notificationEmails: [ada!, bob!] } },
    };
    const again = [ada!, bob!].map(({ hash }) => ({ box: `second ${hash}`, hash }));
    given(endpointDecider, created)
      .when({ ...edit, changes: { notificationEmails: [ada!, bob!] } })
      .then(edited);
    given(endpointDecider, created, edited)
      .when({ ...edit, changes: { notificationEmails: again } })
      .thenNothing();
    given(endpointDecider, created, edited)
      .when({ ...edit, changes: { notificationEmails: [] } })
      .then({ type: 'EndpointEdited', data: { endpointId: 'whs_1', changes: { notificationEmails: [] } } });
  });

  it('of an earlier version has no notification addresses', () => {
    const earlier: EndpointEvent = { type: 'EndpointCreated', data: { ...facts, notificationEmails: undefined } };
    expect(fold(endpointDecider, [earlier])).toMatchObject({ settings: { notificationEmails: [] } });
  });

  it('is disabled and enabled', () => {
    given(endpointDecider, created)
      .when({ ...edit, status: 'disabled' })
      .then(disabled);
    given(endpointDecider, created, disabled)
      .when({ ...edit, status: 'enabled' })
      .then(enabled);
  });

  it('names the new secret after a rotation', () =>
    given(endpointDecider, created).when({ type: 'RotateSecret', secretId: 'sec_2' }).then(rotated));

  it('records nothing when it already has the secret', () =>
    given(endpointDecider, created, rotated).when({ type: 'RotateSecret', secretId: 'sec_2' }).thenNothing());

  it('is deleted', () => given(endpointDecider, created).when({ type: 'DeleteEndpoint' }).then(deleted));

  it.each([edit, { type: 'RotateSecret', secretId: 'sec_2' }, { type: 'DeleteEndpoint' }] as EndpointCommand[])(
    'refuses %j with not_found after its deletion',
    (command) => given(endpointDecider, created, deleted).when(command).thenRejects('not_found'),
  );

  it('is abandoned only when it was never created', () => {
    given(endpointDecider).when({ type: 'AbandonEndpoint', endpointId: 'whs_1' }).then(abandoned);
    given(endpointDecider, created).when({ type: 'AbandonEndpoint', endpointId: 'whs_1' }).thenNothing();
  });
});

describe('An endpoint that fails', () => {
  const times = { lastSuccessAt: null, lastFailureAt: '2026-02-01T09:00:00.000Z' } as const;
  const about = { ...times, disabledTimes: 0 };
  const warning = { reason: 'failing', since: '2026-01-31T09:00:00.000Z', days: 1, failures: 7 } as const;
  const warned: EndpointEvent = { type: 'EndpointWarned', data: { endpointId: 'whs_1', warning, ...times } };
  const warn = (more: Partial<typeof warning> | { days: number } = {}): EndpointCommand => ({
    type: 'WarnAboutEndpoint',
    warning: { ...warning, ...more },
    ...about,
  });
  const disable: EndpointCommand = { type: 'DisableFailingEndpoint', since: warning.since, failures: 20, ...about };

  it('has its owner warned', () => given(endpointDecider, created).when(warn()).then(warned));

  it('has its owner warned once for each number of days', () => {
    given(endpointDecider, created, warned).when(warn()).thenNothing();
    given(endpointDecider, created, warned)
      .when(warn({ days: 3 }))
      .then({ type: 'EndpointWarned', data: { endpointId: 'whs_1', warning: { ...warning, days: 3 }, ...times } });
  });

  it('is disabled', () =>
    given(endpointDecider, created)
      .when(disable)
      .then({
        type: 'EndpointDisabled',
        data: { endpointId: 'whs_1', reason: 'failing', since: warning.since, failures: 20, ...times },
      }));

  it.each([
    ['is disabled already', [created, disabled]],
    ['was enabled again after the decision', [created, disabled, enabled]],
    ['is deleted', [created, deleted]],
    ['was never created', []],
  ] as [string, EndpointEvent[]][])('is neither disabled nor warned about when it %s', (_, history) => {
    given(endpointDecider, ...history)
      .when(disable)
      .thenNothing();
    given(endpointDecider, ...history)
      .when(warn())
      .thenNothing();
  });
});

describe('The state of an endpoint', () => {
  const known = fold(endpointDecider, [created, disabled, enabled, disabled]);

  it('contains the number of disablings', () =>
    expect(toEndpointState(known)).toEqual({ status: 'disabled', disabledTimes: 2 }));

  it.each([
    ['another business', { business: 'biz_2', mode: 'live' }],
    ['the other mode', { business: 'biz_1', mode: 'test' }],
  ] as const)('is not accessible to %s', (_, caller) => expect(ownState(endpointDecider, known, caller)).toBeNull());
});
