import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { userEmailClaims, userSubjectClaims } from '../domain/claim.js';
import { subjectDecider } from '../domain/subject.js';
import { userDecider } from '../domain/user.js';
import { ForgetLaterAddresses } from '../processes/forget-later-addresses.js';
import { ForgetSubjects } from '../processes/forget-subjects.js';
import { Subjects } from '../subjects.js';
import { UserAddresses } from '../user-addresses.js';
import { UserLinks } from '../user-links.js';
import { Users } from '../users.js';

const user = createAuditedResource('user');

/** Users, their addresses, and the persons whose data can be erased. */
export const userFeature: Feature = {
  streams: [
    auditStream(userDecider, user),
    auditStream(userEmailClaims, nameByKey(user, 'ownerId')),
    auditStream(userSubjectClaims, nameByKey(user, 'ownerId')),
    auditStream(subjectDecider, createAuditedResource('subject')),
  ],
  providers: [Users, UserAddresses, UserLinks, Subjects],
  reactors: [ForgetSubjects, ForgetLaterAddresses],
};
