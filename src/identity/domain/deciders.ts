import { apiKey } from './api-key.js';
import { business } from './business.js';
import { firstKeyTold, firstStart, keySecret, userEmail, userSubject } from './claim.js';
import { user } from './user.js';

/** Every noun of the area. */
export const identityDeciders = [apiKey, business, firstKeyTold, firstStart, keySecret, userEmail, userSubject, user] as const;
