import { memberImportDecider, type MemberImportEvent } from '../../../src/community/domain/member-import.js';
import { given } from '../../support/given.js';
import { address, NOW } from '../facts.js';

const row = { email: address, level: null, role: null, error: null };
const request = { importId: 'imp_1', communityId: 'com_1', rows: [row, row] };
const requested: MemberImportEvent = { type: 'MemberImportRequested', data: { ...request, at: NOW } };
const result = { status: 'created', userId: 'usr_1', memberId: 'mem_1', error: null } as const;
const imported = (from: number): MemberImportEvent => ({
  type: 'MemberRowsImported',
  data: { importId: 'imp_1', from, results: [result], at: NOW },
});

describe('A member import', () => {
  it('is requested', () => given(memberImportDecider).when({ type: 'RequestImport', request }).then(requested));

  it('is requested once', () =>
    given(memberImportDecider, requested).when({ type: 'RequestImport', request }).thenNothing());

  it('records results in their order', () =>
    given(memberImportDecider, requested, imported(0))
      .when({ type: 'RecordResults', from: 1, results: [result] })
      .then(imported(1)));

  it('records the results of each row once', () =>
    given(memberImportDecider, requested, imported(0))
      .when({ type: 'RecordResults', from: 0, results: [result] })
      .thenNothing());

  it('refuses results of an unknown import', () =>
    given(memberImportDecider)
      .when({ type: 'RecordResults', from: 0, results: [result] })
      .thenRejects('not_found'));
});
