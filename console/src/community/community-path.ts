export const COMMUNITY = '/v1/community/communities/{id}';
