import { apiKey } from './api-key.js';
import { business } from './business.js';
import { firstKeyTold, firstStart, keySecret, userEmail, userSubject } from './claim.js';
import { businessPlaces, keyPlaces } from './places.js';
import { subject } from './subject.js';
import { user } from './user.js';

export const identityDeciders = [
  apiKey,
  business,
  businessPlaces,
  firstKeyTold,
  firstStart,
  keyPlaces,
  keySecret,
  userEmail,
  userSubject,
  subject,
  user,
] as const;
