import { createClaims } from '../../kernel/claim.js';

/** Keyed hash of an address → user. */
export const userEmailClaims = createClaims('userEmail', 'UserEmailClaimed');
/** Keyed hash of a session's subject → user. */
export const userSubjectClaims = createClaims('userSubject', 'UserSubjectClaimed');
/** Keyed hash of a key's plaintext → key. */
export const keySecretClaims = createClaims('keySecret', 'KeySecretClaimed');
/** The first start on an empty store → the command that creates its business. */
export const firstStartClaims = createClaims('firstStart', 'FirstStartClaimed');
/** The first start on an empty store → the business whose keys were shown. */
export const firstKeyClaims = createClaims('firstKeyShown', 'FirstKeyShown');
