import { type MemberCommand, memberDecider } from '../../../src/community/domain/member.js';
import type { MemberEvent } from '../../../src/community/domain/member-events.js';
import { given } from '../../support/given.js';
import { address, memberJoined, newMember, NOW } from '../facts.js';

const reference = { memberId: 'mem_1', communityId: 'com_1', userId: 'usr_1', at: NOW };
const plain = { ...newMember, role: 'member' } as const;
const joined: MemberEvent = { type: 'MemberJoined', data: plain };
const bought: MemberEvent = { type: 'MemberJoined', data: { ...plain, purchased: true } };
const imported = { ...plain, email: address, importId: 'imp_1', status: 'pending' } as const;
const pending: MemberEvent = { type: 'MemberImported', data: { ...imported, at: NOW } };
const left: MemberEvent = { type: 'MemberLeft', data: reference };
const banned: MemberEvent = { type: 'MemberBanned', data: { ...reference, by: 'usr_2', wasActive: true } };
const expert: MemberEvent = { type: 'ExpertBadgeAssigned', data: { ...reference, by: 'usr_2' } };
const activated: MemberEvent = { type: 'MemberActivated', data: reference };
const rejoined = (purchased: boolean): MemberEvent => ({ type: 'MemberRejoined', data: { ...reference, purchased } });
const returned: MemberEvent = { type: 'MemberRejoined', data: { ...reference, purchased: false, status: 'pending' } };
const rejoin: MemberCommand = { type: 'RejoinCommunity', purchased: false };
const removed = (by: string | null, wasActive: boolean): MemberEvent => ({
  type: 'MemberRemoved',
  data: { ...reference, by, wasActive },
});
const other = { box: 'other.box', hash: 'hash-of-ben' };
const readdressed: MemberEvent = { type: 'MemberAddressChanged', data: { ...reference, email: other } };
const changed = (changes: object): MemberEvent => ({ type: 'MemberChanged', data: { ...reference, changes } });

const owns = (role: 'owner' | 'moderator', transfer: number, wasActive: boolean): MemberEvent => ({
  type: 'OwnershipChanged',
  data: { ...reference, role, transfer, wasActive },
});

const importRow = (changes: object): MemberCommand => ({
  type: 'ImportMember',
  member: imported,
  changes,
});
const givenAgain = { ...address, box: 'again.box' };
const importAgain: MemberCommand = { type: 'ReimportMember', email: givenAgain, changes: {} };
const knownAgain: MemberEvent = { type: 'MemberAddressChanged', data: { ...reference, email: givenAgain } };
const erased: MemberEvent = { type: 'MemberErased', data: reference };
const endPurchase: MemberCommand = { type: 'EndPurchase' };
const by = { userId: 'usr_2' };

describe('A member', () => {
  it.each<[string, readonly MemberEvent[], MemberCommand, readonly MemberEvent[]]>([
    ['joins', [], { type: 'JoinCommunity', member: newMember }, [memberJoined]],
    ['joins once', [memberJoined], { type: 'JoinCommunity', member: newMember }, []],
    ['is imported', [], importRow({}), [pending]],
    ['is imported once', [pending], importRow({}), []],
    ['gets the role of an import', [joined], importRow({ role: 'moderator' }), [changed({ role: 'moderator' })]],
    ['keeps what an import does not name', [joined], importRow({ role: undefined, minimumLevel: undefined }), []],
    ['returns by an import', [joined, left], importRow({}), [rejoined(false)]],
    ['is known again by an import after its erasure', [pending, erased], importAgain, [knownAgain]],
    ['is known again once', [pending, erased, knownAgain], importAgain, []],
    [
      'is known again when it returns by an import',
      [pending, erased, removed('usr_2', false)],
      importAgain,
      [returned, knownAgain],
    ],
    ['has the address of its user after its first sign-in', [pending, activated, erased], importAgain, []],
    [
      'is erased again after it was known again',
      [pending, erased, knownAgain],
      { type: 'RecordErasure', emailHash: address.hash },
      [erased],
    ],
    [
      'is pending again after its removal when it has never signed in',
      [pending, removed('usr_2', false)],
      importRow({}),
      [returned],
    ],
    [
      'is activated after its return',
      [pending, removed('usr_2', false), returned],
      { type: 'ActivateMember', userId: 'usr_1' },
      [activated],
    ],
    ['joins after its removal', [pending, removed('usr_2', false)], rejoin, [rejoined(false)]],
    [
      'is removed when its user has joined as another member',
      [pending],
      { type: 'MergeMember', userId: 'usr_3', into: 'mem_2' },
      [{ type: 'MemberRemoved', data: { ...reference, by: 'usr_3', wasActive: false, mergedInto: 'mem_2' } }],
    ],
    ['is merged only while it is pending', [joined], { type: 'MergeMember', userId: 'usr_3', into: 'mem_2' }, []],
    ['is activated', [pending], { type: 'ActivateMember', userId: 'usr_1' }, [activated]],
    ['is activated once', [pending, activated], { type: 'ActivateMember', userId: 'usr_1' }, []],
    ['changes', [joined], { type: 'ChangeMember', changes: { minimumLevel: 3 } }, [changed({ minimumLevel: 3 })]],
    ['stays the same', [joined], { type: 'ChangeMember', changes: { role: 'member' } }, []],
    ['leaves', [joined], { type: 'LeaveCommunity' }, [left]],
    ['leaves once', [joined, left], { type: 'LeaveCommunity' }, []],
    ['returns', [joined, left], { type: 'RejoinCommunity', purchased: true }, [rejoined(true)]],
    [
      'returns as a plain member',
      [joined, changed({ role: 'moderator', minimumLevel: 4 }), left],
      rejoin,
      [rejoined(false), changed({ minimumLevel: 1 })],
    ],
    [
      'returns by an import with the level of the row',
      [joined, changed({ minimumLevel: 4 }), left],
      importRow({ role: undefined, minimumLevel: 2 }),
      [rejoined(false), changed({ minimumLevel: 2 })],
    ],
    ['returns only after it left', [joined], { type: 'RejoinCommunity', purchased: false }, []],
    ['does not return from a ban', [joined, banned], { type: 'RejoinCommunity', purchased: false }, []],
    ['is removed', [joined], { type: 'RemoveMember', ...by }, [removed('usr_2', true)]],
    ['is removed while it is pending', [pending], { type: 'RemoveMember', ...by }, [removed('usr_2', false)]],
    ['is removed once', [joined, left], { type: 'RemoveMember', ...by }, []],
    ['is banned', [joined], { type: 'BanMember', ...by }, [banned]],
    ['is banned once', [joined, banned], { type: 'BanMember', ...by }, []],
    [
      'is unbanned',
      [joined, banned],
      { type: 'UnbanMember', ...by },
      [{ type: 'MemberUnbanned', data: { ...reference, by: 'usr_2', status: 'active' } }],
    ],
    [
      'is a plain member after a ban',
      [joined, changed({ role: 'moderator', minimumLevel: 4 }), banned],
      { type: 'UnbanMember', ...by },
      [
        { type: 'MemberUnbanned', data: { ...reference, by: 'usr_2', status: 'active' } },
        changed({ role: 'member', minimumLevel: 1 }),
      ],
    ],
    ['gets the address of its user', [joined], { type: 'ChangeAddress', email: other }, [readdressed]],
    ['gets the address once', [joined, readdressed], { type: 'ChangeAddress', email: other }, []],
    ['keeps its address while it is pending', [pending], { type: 'ChangeAddress', email: null }, []],
    [
      'is pending again after a ban that began while it was pending',
      [pending, banned],
      { type: 'UnbanMember', ...by },
      [{ type: 'MemberUnbanned', data: { ...reference, by: 'usr_2', status: 'pending' } }],
    ],
    [
      'is activated for the user who has verified the address',
      [pending],
      { type: 'ActivateMember', userId: 'usr_5' },
      [{ type: 'MemberActivated', data: { ...reference, userId: 'usr_5' } }],
    ],
    ['becomes the owner', [joined], { type: 'ChangeOwnership', role: 'owner', transfer: 1 }, [owns('owner', 1, true)]],
    [
      'becomes the owner although it left during the transfer',
      [joined, left],
      { type: 'ChangeOwnership', role: 'owner', transfer: 1 },
      [owns('owner', 1, false)],
    ],
    [
      'keeps the role of the later transfer',
      [joined, owns('moderator', 2, true)],
      { type: 'ChangeOwnership', role: 'owner', transfer: 1 },
      [],
    ],
    ['stays active when it is unbanned without a ban', [joined], { type: 'UnbanMember', ...by }, []],
    ['becomes an expert', [joined], { type: 'AssignExpertBadge', ...by }, [expert]],
    ['becomes an expert once', [joined, expert], { type: 'AssignExpertBadge', userId: 'usr_3' }, []],
    [
      'loses the expert badge',
      [joined, expert],
      { type: 'RemoveExpertBadge' },
      [{ type: 'ExpertBadgeRemoved', data: reference }],
    ],
    ['has no expert badge to lose', [joined], { type: 'RemoveExpertBadge' }, []],
    ['loses a purchased membership', [bought], { type: 'EndPurchase' }, [removed(null, true)]],
    [
      'loses the membership of a purchase with which it returned',
      [joined, left, rejoined(true)],
      { type: 'EndPurchase' },
      [removed(null, true)],
    ],
    [
      'keeps the membership with which it returned without a purchase',
      [bought, left, rejoined(false)],
      endPurchase,
      [],
    ],
    [
      'returns by an import without the purchase with which it had joined',
      [bought, removed('usr_2', true)],
      importRow({}),
      [rejoined(false)],
    ],
    ['stays banned at the end of a purchase', [bought, banned], endPurchase, []],
    ['loses a purchased membership once', [bought, removed(null, true)], endPurchase, []],
    ['keeps another membership at the end of a purchase', [joined], { type: 'EndPurchase' }, []],
    [
      'loses a purchased membership also as a moderator with a level',
      [bought, changed({ role: 'moderator', minimumLevel: 4 })],
      endPurchase,
      [removed(null, true)],
    ],
    ['keeps the membership as the owner at the end of a purchase', [bought, owns('owner', 1, true)], endPurchase, []],
    [
      'loses a purchased membership when another one is the owner',
      [bought, owns('owner', 1, true), owns('moderator', 2, true)],
      endPurchase,
      [removed(null, true)],
    ],
  ])('%s', (_, history, command, events) =>
    given(memberDecider, ...history)
      .when(command)
      .then(...events),
  );

  it.each<[string, readonly MemberEvent[], MemberCommand, string]>([
    ['the departure of the owner', [memberJoined], { type: 'LeaveCommunity' }, 'last_owner'],
    ['the removal of the owner', [memberJoined], { type: 'RemoveMember', ...by }, 'owner_protected'],
    ['a ban of the owner', [memberJoined], { type: 'BanMember', ...by }, 'owner_protected'],
    ['an import of the owner', [memberJoined], importRow({ role: 'member' }), 'owner_protected'],
    ['an import of a banned member', [joined, banned], importRow({}), 'validation_failed'],
    ['the expert badge for a pending member', [pending], { type: 'AssignExpertBadge', ...by }, 'not_found'],
    ['the activation of a pending member by another', [pending], { type: 'UnbanMember', ...by }, 'validation_failed'],
    ['a change of an unknown member', [], { type: 'ChangeMember', changes: {} }, 'not_found'],
  ])('refuses %s', (_, history, command, code) =>
    given(memberDecider, ...history)
      .when(command)
      .thenRejects(code),
  );
});
