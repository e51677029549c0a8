// Generated from the OpenAPI document by `npm run client`. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { EventStream } from '../event-stream.ts';
import type { CursorList, PageList } from '../lists.ts';
import type { RequestOptions } from '../options.ts';
import { Resource, segment } from '../resource.ts';
import type * as T from './types.gen.ts';

export class IdentityApiKeys extends Resource {
  /**
   * Create an API key. The secret is in this response alone: the service keeps only its hash. For a session of the owner of the business. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `key_limit_reached`.
   *
   * `POST /v1/auth/api-keys`
   */
  create(body: T.CreateApiKeyBody, options?: RequestOptions): ApiPromise<T.ApiKeyWithSecret> {
    return this.transport.call({ method: 'POST', path: `/v1/auth/api-keys`, body, isKeyed: true }, options);
  }

  /**
   * List API keys. Shows revoked and expired keys too. For a session of the owner of the business. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/auth/api-keys`
   */
  list(query?: T.ListApiKeysData['query'], options?: RequestOptions): PageList<T.ApiKey> {
    return this.transport.listPages({ method: 'GET', path: `/v1/auth/api-keys`, query }, options);
  }

  /**
   * Retrieve an API key. `last_used_at` is written once a minute at most. For a session of the owner of the business.
   *
   * `GET /v1/auth/api-keys/{id}`
   */
  retrieve(apiKeyId: string, options?: RequestOptions): ApiPromise<T.ApiKey> {
    return this.transport.call({ method: 'GET', path: `/v1/auth/api-keys/${segment(apiKeyId)}` }, options);
  }

  /**
   * Revoke an API key. The key stops working at once. The record stays. For a session of the owner of the business.
   *
   * `DELETE /v1/auth/api-keys/{id}`
   */
  revoke(apiKeyId: string, options?: RequestOptions): ApiPromise<T.ApiKey> {
    return this.transport.call({ method: 'DELETE', path: `/v1/auth/api-keys/${segment(apiKeyId)}` }, options);
  }

  /**
   * Rotate an API key. The new key has the name, mode, access and expiry of the old one, which works until the overlap has passed. For a session of the owner of the business. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `key_ended`, `key_limit_reached`.
   *
   * `POST /v1/auth/api-keys/{id}/rotations`
   */
  rotate(apiKeyId: string, body: T.RotateApiKeyBody, options?: RequestOptions): ApiPromise<T.ApiKeyWithSecret> {
    return this.transport.call({ method: 'POST', path: `/v1/auth/api-keys/${segment(apiKeyId)}/rotations`, body, isKeyed: true }, options);
  }
}

export class IdentityBusinesses extends Resource {
  /**
   * Create a business. The caller becomes its owner. For the session of a signed-in user. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `business_limit_reached`.
   *
   * `POST /v1/businesses`
   */
  create(body: T.CreateBusinessBody, options?: RequestOptions): ApiPromise<T.Business> {
    return this.transport.call({ method: 'POST', path: `/v1/businesses`, body, isKeyed: true }, options);
  }

  /**
   * List businesses. Shows the businesses that the caller owns. For the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/businesses`
   */
  list(query?: T.ListBusinessesData['query'], options?: RequestOptions): PageList<T.Business> {
    return this.transport.listPages({ method: 'GET', path: `/v1/businesses`, query }, options);
  }
}

export class IdentityCaller extends Resource {
  /**
   * Retrieve the caller. Says who the credential belongs to and what it may do. For every credential but a cart token.
   *
   * `GET /v1/auth/me`
   */
  retrieve(options?: RequestOptions): ApiPromise<T.Caller> {
    return this.transport.call({ method: 'GET', path: `/v1/auth/me` }, options);
  }
}

export class Identity extends Resource {
  readonly apiKeys: IdentityApiKeys = new IdentityApiKeys(this.transport);
  readonly businesses: IdentityBusinesses = new IdentityBusinesses(this.transport);
  readonly caller: IdentityCaller = new IdentityCaller(this.transport);
}

export class WebhooksEndpoints extends Resource {
  /**
   * Create an endpoint. An enabled endpoint receives the public events of its types from then on. The response has the secret that signs them. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `url_not_allowed`, `event_type_unknown`, `event_type_closed`, `endpoint_limit_reached`.
   *
   * `POST /v1/webhooks/endpoints`
   */
  create(body: T.CreateEndpointBody, options?: RequestOptions): ApiPromise<T.WebhookEndpointWithSecret> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/endpoints`, body, isKeyed: true }, options);
  }

  /**
   * List endpoints. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/webhooks/endpoints`
   */
  list(query?: T.ListEndpointsData['query'], options?: RequestOptions): PageList<T.WebhookEndpoint> {
    return this.transport.listPages({ method: 'GET', path: `/v1/webhooks/endpoints`, query }, options);
  }

  /**
   * Retrieve an endpoint. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/endpoints/{id}`
   */
  retrieve(endpointId: string, options?: RequestOptions): ApiPromise<T.WebhookEndpoint> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/endpoints/${segment(endpointId)}` }, options);
  }

  /**
   * Edit an endpoint. Changes the fields that the body contains. A disabled endpoint misses new events, and its retries are dropped. For a key of the business, or for a session of its owner.
   *
   * Problems: `url_not_allowed`, `event_type_unknown`, `event_type_closed`.
   *
   * `PATCH /v1/webhooks/endpoints/{id}`
   */
  update(endpointId: string, body?: T.EditEndpointBody, options?: RequestOptions): ApiPromise<T.WebhookEndpoint> {
    return this.transport.call({ method: 'PATCH', path: `/v1/webhooks/endpoints/${segment(endpointId)}`, body }, options);
  }

  /**
   * Delete an endpoint. Its deliveries can still be read, but no longer replayed. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/webhooks/endpoints/{id}`
   */
  delete(endpointId: string, options?: RequestOptions): ApiPromise<T.WebhookEndpoint> {
    return this.transport.call({ method: 'DELETE', path: `/v1/webhooks/endpoints/${segment(endpointId)}` }, options);
  }

  /**
   * Retrieve the statistics of an endpoint. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/endpoints/{id}/stats`
   */
  retrieveStatistics(endpointId: string, query?: T.RetrieveStatisticsOfEndpointData['query'], options?: RequestOptions): ApiPromise<T.WebhookEndpointStats> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/endpoints/${segment(endpointId)}/stats`, query }, options);
  }

  /**
   * Retrieve the statistics of an endpoint hour by hour. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/endpoints/{id}/hourly-stats`
   */
  retrieveHourlyStatistics(endpointId: string, query?: T.RetrieveStatisticsOfEndpointHourByHourData['query'], options?: RequestOptions): ApiPromise<T.WebhookEndpointHourlyStats> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/endpoints/${segment(endpointId)}/hourly-stats`, query }, options);
  }

  /**
   * Rotate the secret of an endpoint. Every attempt that starts later is signed with the new secret. For a secret key of the business. Requires an `Idempotency-Key`: a repeated request gets the first response.
   *
   * Problems: `secret_key_required`.
   *
   * `POST /v1/webhooks/endpoints/{id}/secret-rotations`
   */
  rotateSecret(endpointId: string, options?: RequestOptions): ApiPromise<T.WebhookEndpointWithSecret> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/endpoints/${segment(endpointId)}/secret-rotations`, isKeyed: true }, options);
  }

  /**
   * Send a test event. Sends an event with example data to this endpoint alone, also while it is disabled. For a key of the business, or for a session of its owner. Requires an `Idempotency-Key`: a repeated request gets the first response.
   *
   * Problems: `event_type_unknown`.
   *
   * `POST /v1/webhooks/endpoints/{id}/test-events`
   */
  sendTestEvent(endpointId: string, body?: T.SendTestEventBody, options?: RequestOptions): ApiPromise<T.TestEventResult> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/endpoints/${segment(endpointId)}/test-events`, body, isKeyed: true }, options);
  }
}

export class WebhooksDeliveries extends Resource {
  /**
   * List deliveries. A delivery is the record of one attempt to send an event to an endpoint. For a key of the business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * `GET /v1/webhooks/deliveries`
   */
  list(query?: T.ListDeliveriesData['query'], options?: RequestOptions): CursorList<T.WebhookDelivery> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/webhooks/deliveries`, query }, options);
  }

  /**
   * Retrieve a delivery. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/deliveries/{delivery_id}`
   */
  retrieve(deliveryId: string, options?: RequestOptions): ApiPromise<T.WebhookDelivery> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/deliveries/${segment(deliveryId)}` }, options);
  }

  /**
   * Retrieve the attempts of a delivery. Shows all attempts to send this event to this endpoint, and the time of the next one. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/deliveries/{delivery_id}/attempts`
   */
  retrieveAttempts(deliveryId: string, options?: RequestOptions): ApiPromise<T.WebhookDeliveryAttempts> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/deliveries/${segment(deliveryId)}/attempts` }, options);
  }

  /**
   * Retrieve the request of a delivery. The request can be shown for 30 days. It is built again from the event, so it lacks personal data that were erased since. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/deliveries/{delivery_id}/request`
   */
  retrieveRequest(deliveryId: string, options?: RequestOptions): ApiPromise<T.WebhookMessage> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/deliveries/${segment(deliveryId)}/request` }, options);
  }

  /**
   * Retrieve the response to a delivery. The response of the receiver can be shown for 30 days. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/deliveries/{delivery_id}/response`
   */
  retrieveResponse(deliveryId: string, options?: RequestOptions): ApiPromise<T.WebhookMessage> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/deliveries/${segment(deliveryId)}/response` }, options);
  }

  /**
   * Replay a delivery. Sends the event of the delivery to its endpoint again. For a key of the business, or for a session of its owner. Requires an `Idempotency-Key`: a repeated request gets the first response.
   *
   * Problems: `delivery_in_progress`, `delivery_replayed_by_job`, `endpoint_disabled`, `expired`, `attempts_exhausted`.
   *
   * `POST /v1/webhooks/deliveries/{delivery_id}/replay`
   */
  replay(deliveryId: string, options?: RequestOptions): ApiPromise<T.WebhookDelivery> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/deliveries/${segment(deliveryId)}/replay`, isKeyed: true }, options);
  }
}

export class WebhooksEvents extends Resource {
  /**
   * Stream public events. For a key of the business, or for a session of its owner. Sends each new public event as it is published. A client that connects again with the id of its last event misses none. A GET of an address that also fits `/v1/webhooks/events/{id}` is this operation.
   *
   * `GET /v1/webhooks/events/stream`
   */
  stream(query?: T.StreamPublicEventsData['query'], options?: RequestOptions): EventStream {
    return this.transport.stream({ method: 'GET', path: `/v1/webhooks/events/stream`, query }, options);
  }

  /**
   * List public events. An event is in the list also when no endpoint receives it. For a key of the business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * `GET /v1/webhooks/events`
   */
  list(query?: T.ListPublicEventsData['query'], options?: RequestOptions): CursorList<T.PublicEvent> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/webhooks/events`, query }, options);
  }

  /**
   * Retrieve a public event. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/events/{id}`
   */
  retrieve(eventId: string, options?: RequestOptions): ApiPromise<T.PublicEvent> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/events/${segment(eventId)}` }, options);
  }
}

export class WebhooksEventTypes extends Resource {
  /**
   * List event types. The catalogue is the same for every business. For a key of the business, or for a session of its owner. Returns one page of the list. A page number beyond the end returns the last page.
   *
   * `GET /v1/webhooks/event-types`
   */
  list(query?: T.ListEventTypesData['query'], options?: RequestOptions): PageList<T.EventType> {
    return this.transport.listPages({ method: 'GET', path: `/v1/webhooks/event-types`, query }, options);
  }

  /**
   * Retrieve an event type. Says whether `*` includes the type. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/event-types/{id}`
   */
  retrieve(eventTypeId: string, options?: RequestOptions): ApiPromise<T.EventType> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/event-types/${segment(eventTypeId)}` }, options);
  }

  /**
   * Retrieve the schema of an event type. Shows the JSON Schema of the data in events of the type. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/event-types/{id}/schema`
   */
  retrieveSchema(eventTypeId: string, options?: RequestOptions): ApiPromise<T.EventDataSchema> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/event-types/${segment(eventTypeId)}/schema` }, options);
  }
}

export class WebhooksReplayJobs extends Resource {
  /**
   * Create a replay job. Sends again the events of a time window that endpoints did not receive. With `dry_run` it only counts them: 200. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `replay_job_conflict`, `window_too_large`.
   *
   * `POST /v1/webhooks/replay-jobs`
   */
  create(body: T.RequestReplayJobBody, options?: RequestOptions): ApiPromise<T.ReplayForecast | T.ReplayJob> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/replay-jobs`, body, isKeyed: true }, options);
  }

  /**
   * List replay jobs. For a key of the business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * `GET /v1/webhooks/replay-jobs`
   */
  list(query?: T.ListReplayJobsData['query'], options?: RequestOptions): CursorList<T.ReplayJob> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/webhooks/replay-jobs`, query }, options);
  }

  /**
   * Retrieve a replay job. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/webhooks/replay-jobs/{id}`
   */
  retrieve(replayJobId: string, options?: RequestOptions): ApiPromise<T.ReplayJob> {
    return this.transport.call({ method: 'GET', path: `/v1/webhooks/replay-jobs/${segment(replayJobId)}` }, options);
  }

  /**
   * Cancel a replay job. Open attempts end, and the events that were not sent again yet are skipped. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `replay_job_finished`.
   *
   * `POST /v1/webhooks/replay-jobs/{id}/cancel`
   */
  cancel(replayJobId: string, options?: RequestOptions): ApiPromise<T.ReplayJob> {
    return this.transport.call({ method: 'POST', path: `/v1/webhooks/replay-jobs/${segment(replayJobId)}/cancel`, isKeyed: true }, options);
  }
}

export class Webhooks extends Resource {
  readonly endpoints: WebhooksEndpoints = new WebhooksEndpoints(this.transport);
  readonly deliveries: WebhooksDeliveries = new WebhooksDeliveries(this.transport);
  readonly events: WebhooksEvents = new WebhooksEvents(this.transport);
  readonly eventTypes: WebhooksEventTypes = new WebhooksEventTypes(this.transport);
  readonly replayJobs: WebhooksReplayJobs = new WebhooksReplayJobs(this.transport);
}

export class CommunityCommunities extends Resource {
  /**
   * Create a community. The user of the caller becomes its owner. It gets a default channel and default onboarding tasks. For a live key, or for the session of a signed-in user.
   *
   * `POST /v1/community/communities`
   */
  create(body: T.CreateCommunityBody, options?: RequestOptions): ApiPromise<T.Community> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities`, body }, options);
  }

  /**
   * List communities. Shows the communities of the business that the caller acts for, or else those of the user. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/community/communities`
   */
  list(query?: T.ListCommunitiesData['query'], options?: RequestOptions): PageList<T.Community> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities`, query }, options);
  }

  /**
   * Retrieve a community. A caller who is no member sees its public fields. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/communities/{id}`
   */
  retrieve(communityId: string, options?: RequestOptions): ApiPromise<T.SeenCommunity> {
    return this.transport.call({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}` }, options);
  }

  /**
   * Edit a community. The owner edits it, and reopens an archived one with the status `active`. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `product_required`, `levels_not_rising`, `community_archived`.
   *
   * `PATCH /v1/community/communities/{id}`
   */
  update(communityId: string, body?: T.EditCommunityBody, options?: RequestOptions): ApiPromise<T.Community> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/communities/${segment(communityId)}`, body }, options);
  }

  /**
   * Archive a community. It can be read, left and cleaned up, until its owner reopens it. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`.
   *
   * `POST /v1/community/communities/{id}/archive`
   */
  archive(communityId: string, options?: RequestOptions): ApiPromise<T.Community> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/archive` }, options);
  }

  /**
   * Transfer a community. Makes another active member the owner. The owner before becomes a moderator. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/transfer`
   */
  transfer(communityId: string, body: T.TransferCommunityBody, options?: RequestOptions): ApiPromise<T.Community> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/transfer`, body }, options);
  }

  /**
   * Join a community. Makes the user of the caller a member, if the community is open to the user. A member gets 200. For a live key, or for the session of a signed-in user.
   *
   * Problems: `invite_required`, `purchase_required`, `banned`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/join`
   */
  join(communityId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/join` }, options);
  }

  /**
   * Leave a community. The owner cannot leave. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `last_owner`.
   *
   * `POST /v1/community/communities/{id}/leave`
   */
  leave(communityId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/leave` }, options);
  }
}

export class CommunityMembers extends Resource {
  /**
   * List members. Shows the active members. The owner and moderators see the addresses too, and find other members by `status`. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/members`
   */
  list(communityId: string, query?: T.ListMembersData['query'], options?: RequestOptions): PageList<T.CommunityMember> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/members`, query }, options);
  }

  /**
   * Retrieve a member. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/members/{user_id}`
   */
  retrieve(communityId: string, userId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/members/${segment(userId)}` }, options);
  }

  /**
   * Change a member. The owner changes the role or the level of a member, or bans the member. A member who left, was removed or is banned has no role and no level to change, and only a ban can be ended: 404. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `owner_protected`, `community_archived`.
   *
   * `PATCH /v1/community/communities/{id}/members/{user_id}`
   */
  change(communityId: string, userId: string, body?: T.ChangeMemberBody, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/communities/${segment(communityId)}/members/${segment(userId)}`, body }, options);
  }

  /**
   * Remove a member. The owner removes any other member, and a moderator a plain member. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `owner_protected`.
   *
   * `DELETE /v1/community/communities/{id}/members/{user_id}`
   */
  remove(communityId: string, userId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/communities/${segment(communityId)}/members/${segment(userId)}` }, options);
  }

  /**
   * Assign the expert badge. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `community_archived`.
   *
   * `PUT /v1/community/communities/{id}/members/{user_id}/expert-badge`
   */
  assignExpertBadge(communityId: string, userId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'PUT', path: `/v1/community/communities/${segment(communityId)}/members/${segment(userId)}/expert-badge` }, options);
  }

  /**
   * Remove the expert badge. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `community_archived`.
   *
   * `DELETE /v1/community/communities/{id}/members/{user_id}/expert-badge`
   */
  removeExpertBadge(communityId: string, userId: string, options?: RequestOptions): ApiPromise<T.CommunityMember> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/communities/${segment(communityId)}/members/${segment(userId)}/expert-badge` }, options);
  }

  /**
   * Import members. Adds or changes one member for each row, and returns the result of each row. An invalid row fails alone. For a live key, or for the session of a signed-in user. A POST of an address that also fits `/v1/community/communities/{id}/members/{user_id}` is this operation.
   *
   * Problems: `not_a_member`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/members/import`
   */
  import(communityId: string, body: T.ImportMembersBody, options?: RequestOptions): ApiPromise<T.MemberImport> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/members/import`, body }, options);
  }

  /**
   * Retrieve a member import. For a live key, or for the session of a signed-in user. A GET of an address that also fits `/v1/community/communities/{id}/members/{user_id}/expert-badge` is this operation.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/members/imports/{import_id}`
   */
  retrieveImport(communityId: string, importId: string, options?: RequestOptions): ApiPromise<T.MemberImport> {
    return this.transport.call({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/members/imports/${segment(importId)}` }, options);
  }
}

export class CommunityInvites extends Resource {
  /**
   * Create an invite. Invites an address by mail. A pending invite of the address gets the new terms instead: 200. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `banned`, `already_member`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/invites`
   */
  create(communityId: string, body: T.InviteBody, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/invites`, body }, options);
  }

  /**
   * List invites. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/invites`
   */
  list(communityId: string, query?: T.ListInvitesData['query'], options?: RequestOptions): PageList<T.Invite> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/invites`, query }, options);
  }

  /**
   * List own invites. Shows the invites of the address of the caller, in all communities. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/community/invites`
   */
  listOwn(query?: T.ListOwnInvitesData['query'], options?: RequestOptions): PageList<T.Invite> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/invites`, query }, options);
  }

  /**
   * Retrieve an invite. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/invites/{invite_id}`
   */
  retrieve(inviteId: string, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'GET', path: `/v1/community/invites/${segment(inviteId)}` }, options);
  }

  /**
   * Revoke an invite. It can no longer be accepted. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `invite_already_accepted`, `invite_declined`, `community_archived`.
   *
   * `DELETE /v1/community/invites/{invite_id}`
   */
  revoke(inviteId: string, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/invites/${segment(inviteId)}` }, options);
  }

  /**
   * Accept an invite. Makes the invited user a member, also of a paid community or one that requires an invite. For a live key, or for the session of a signed-in user.
   *
   * Problems: `banned`, `invite_already_accepted`, `invite_declined`, `invite_revoked`, `invite_expired`, `community_archived`.
   *
   * `POST /v1/community/invites/{invite_id}/accept`
   */
  accept(inviteId: string, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'POST', path: `/v1/community/invites/${segment(inviteId)}/accept` }, options);
  }

  /**
   * Decline an invite. For a live key, or for the session of a signed-in user.
   *
   * Problems: `invite_already_accepted`, `invite_revoked`, `invite_expired`, `community_archived`.
   *
   * `POST /v1/community/invites/{invite_id}/decline`
   */
  decline(inviteId: string, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'POST', path: `/v1/community/invites/${segment(inviteId)}/decline` }, options);
  }

  /**
   * Resend an invite. Sends the mail again, at most once in 60 seconds and ten times. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `invite_already_accepted`, `invite_declined`, `invite_revoked`, `invite_expired`, `community_archived`.
   *
   * `POST /v1/community/invites/{invite_id}/resend`
   */
  resend(inviteId: string, options?: RequestOptions): ApiPromise<T.Invite> {
    return this.transport.call({ method: 'POST', path: `/v1/community/invites/${segment(inviteId)}/resend` }, options);
  }
}

export class CommunityPosts extends Resource {
  /**
   * Create a post. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `content_required`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/posts`
   */
  create(communityId: string, body?: T.CreatePostBody, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/posts`, body }, options);
  }

  /**
   * List posts. Shows the posts that are not deleted. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/posts`
   */
  list(communityId: string, query?: T.ListPostsData['query'], options?: RequestOptions): PageList<T.Post> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/posts`, query }, options);
  }

  /**
   * Retrieve a post. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/posts/{post_id}`
   */
  retrieve(postId: string, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'GET', path: `/v1/community/posts/${segment(postId)}` }, options);
  }

  /**
   * Edit a post. Only its author edits it. For a live key, or for the session of a signed-in user.
   *
   * Problems: `content_required`, `community_archived`.
   *
   * `PATCH /v1/community/posts/{post_id}`
   */
  update(postId: string, body?: T.EditPostBody, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/posts/${segment(postId)}`, body }, options);
  }

  /**
   * Delete a post. For a live key, or for the session of a signed-in user.
   *
   * `DELETE /v1/community/posts/{post_id}`
   */
  delete(postId: string, options?: RequestOptions): ApiPromise<T.DeletedPost> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/posts/${segment(postId)}` }, options);
  }

  /**
   * Restore a post. The owner and moderators restore it within 30 days after its deletion. For a live key, or for the session of a signed-in user.
   *
   * Problems: `restore_expired`, `community_archived`.
   *
   * `POST /v1/community/posts/{post_id}/restore`
   */
  restore(postId: string, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'POST', path: `/v1/community/posts/${segment(postId)}/restore` }, options);
  }

  /**
   * Like a post. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`, `community_archived`.
   *
   * `PUT /v1/community/posts/{post_id}/like`
   */
  like(postId: string, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'PUT', path: `/v1/community/posts/${segment(postId)}/like` }, options);
  }

  /**
   * Unlike a post. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`, `community_archived`.
   *
   * `DELETE /v1/community/posts/{post_id}/like`
   */
  unlike(postId: string, options?: RequestOptions): ApiPromise<T.Post> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/posts/${segment(postId)}/like` }, options);
  }
}

export class CommunityComments extends Resource {
  /**
   * Comment on a post. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`, `content_required`, `reply_target_invalid`, `community_archived`.
   *
   * `POST /v1/community/posts/{post_id}/comments`
   */
  create(postId: string, body: T.CreateCommentBody, options?: RequestOptions): ApiPromise<T.Comment> {
    return this.transport.call({ method: 'POST', path: `/v1/community/posts/${segment(postId)}/comments`, body }, options);
  }

  /**
   * List comments. A deleted comment has no content. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `insufficient_level`.
   *
   * `GET /v1/community/posts/{post_id}/comments`
   */
  list(postId: string, query?: T.ListCommentsData['query'], options?: RequestOptions): PageList<T.Comment> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/posts/${segment(postId)}/comments`, query }, options);
  }

  /**
   * Delete a comment. For a live key, or for the session of a signed-in user.
   *
   * `DELETE /v1/community/comments/{comment_id}`
   */
  delete(commentId: string, options?: RequestOptions): ApiPromise<T.DeletedComment> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/comments/${segment(commentId)}` }, options);
  }
}

export class CommunityChallenges extends Resource {
  /**
   * Create a challenge. The owner and moderators create it. It starts at once by default. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `invalid_range`, `invalid_timezone`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/challenges`
   */
  create(communityId: string, body: T.CreateChallengeBody, options?: RequestOptions): ApiPromise<T.Challenge> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/challenges`, body }, options);
  }

  /**
   * List challenges. Shows the challenges that are not cancelled. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/challenges`
   */
  list(communityId: string, query?: T.ListChallengesData['query'], options?: RequestOptions): PageList<T.Challenge> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/challenges`, query }, options);
  }

  /**
   * Retrieve a challenge. Only the owner and moderators see a cancelled one. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/challenges/{challenge_id}`
   */
  retrieve(challengeId: string, options?: RequestOptions): ApiPromise<T.Challenge> {
    return this.transport.call({ method: 'GET', path: `/v1/community/challenges/${segment(challengeId)}` }, options);
  }

  /**
   * Edit a challenge. The owner and moderators edit it until it ends or is cancelled. For a live key, or for the session of a signed-in user.
   *
   * Problems: `invalid_range`, `invalid_timezone`, `challenge_ended`, `challenge_cancelled`, `community_archived`.
   *
   * `PATCH /v1/community/challenges/{challenge_id}`
   */
  update(challengeId: string, body?: T.EditChallengeBody, options?: RequestOptions): ApiPromise<T.Challenge> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/challenges/${segment(challengeId)}`, body }, options);
  }

  /**
   * Cancel a challenge. The owner and moderators cancel it. Activities no longer count for it. For a live key, or for the session of a signed-in user.
   *
   * Problems: `challenge_ended`.
   *
   * `DELETE /v1/community/challenges/{challenge_id}`
   */
  cancel(challengeId: string, options?: RequestOptions): ApiPromise<T.Challenge> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/challenges/${segment(challengeId)}` }, options);
  }

  /**
   * Join a challenge. Enters the caller in the challenge. A repeated request returns the progress so far. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `challenge_ended`, `challenge_cancelled`, `community_archived`.
   *
   * `POST /v1/community/challenges/{challenge_id}/join`
   */
  join(challengeId: string, options?: RequestOptions): ApiPromise<T.ChallengeProgress> {
    return this.transport.call({ method: 'POST', path: `/v1/community/challenges/${segment(challengeId)}/join` }, options);
  }

  /**
   * Retrieve challenge progress. Shows the progress of the caller, who must have joined. Activities count within moments. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/challenges/{challenge_id}/progress`
   */
  retrieveProgress(challengeId: string, options?: RequestOptions): ApiPromise<T.ChallengeProgress> {
    return this.transport.call({ method: 'GET', path: `/v1/community/challenges/${segment(challengeId)}/progress` }, options);
  }
}

export class CommunityChannels extends Resource {
  /**
   * Create a channel. The owner and moderators create it, under a name that no other channel of the community has. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `name_taken`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/channels`
   */
  create(communityId: string, body: T.CreateChannelBody, options?: RequestOptions): ApiPromise<T.Channel> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/channels`, body }, options);
  }

  /**
   * List channels. Shows the channels that the caller may see. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/channels`
   */
  list(communityId: string, query?: T.ListChannelsData['query'], options?: RequestOptions): PageList<T.Channel> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/channels`, query }, options);
  }

  /**
   * Retrieve a channel. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`.
   *
   * `GET /v1/community/channels/{channel_id}`
   */
  retrieve(channelId: string, options?: RequestOptions): ApiPromise<T.Channel> {
    return this.transport.call({ method: 'GET', path: `/v1/community/channels/${segment(channelId)}` }, options);
  }

  /**
   * Edit a channel. For a live key, or for the session of a signed-in user.
   *
   * Problems: `name_taken`, `default_channel_protected`, `community_archived`.
   *
   * `PATCH /v1/community/channels/{channel_id}`
   */
  update(channelId: string, body?: T.EditChannelBody, options?: RequestOptions): ApiPromise<T.Channel> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/channels/${segment(channelId)}`, body }, options);
  }

  /**
   * Delete a channel. Hides its messages too. The default channel cannot be deleted. For a live key, or for the session of a signed-in user.
   *
   * Problems: `default_channel_protected`.
   *
   * `DELETE /v1/community/channels/{channel_id}`
   */
  delete(channelId: string, options?: RequestOptions): ApiPromise<T.DeletedChannel> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/channels/${segment(channelId)}` }, options);
  }
}

export class CommunityMessages extends Resource {
  /**
   * Send a message. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`, `posting_restricted`, `content_required`, `reply_target_invalid`, `community_archived`.
   *
   * `POST /v1/community/channels/{channel_id}/messages`
   */
  send(channelId: string, body?: T.SendMessageBody, options?: RequestOptions): ApiPromise<T.Message> {
    return this.transport.call({ method: 'POST', path: `/v1/community/channels/${segment(channelId)}/messages`, body }, options);
  }

  /**
   * List messages. A deleted message has no content. For a live key, or for the session of a signed-in user. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * Problems: `insufficient_level`.
   *
   * `GET /v1/community/channels/{channel_id}/messages`
   */
  list(channelId: string, query?: T.ListMessagesData['query'], options?: RequestOptions): CursorList<T.Message> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/community/channels/${segment(channelId)}/messages`, query }, options);
  }

  /**
   * Retrieve a message. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/messages/{message_id}`
   */
  retrieve(messageId: string, options?: RequestOptions): ApiPromise<T.Message> {
    return this.transport.call({ method: 'GET', path: `/v1/community/messages/${segment(messageId)}` }, options);
  }

  /**
   * Edit a message. Only its author edits it. For a live key, or for the session of a signed-in user.
   *
   * Problems: `content_required`, `community_archived`.
   *
   * `PATCH /v1/community/messages/{message_id}`
   */
  update(messageId: string, body?: T.EditMessageBody, options?: RequestOptions): ApiPromise<T.Message> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/messages/${segment(messageId)}`, body }, options);
  }

  /**
   * Delete a message. For a live key, or for the session of a signed-in user.
   *
   * `DELETE /v1/community/messages/{message_id}`
   */
  delete(messageId: string, options?: RequestOptions): ApiPromise<T.Message> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/messages/${segment(messageId)}` }, options);
  }
}

export class CommunityLibraryResources extends Resource {
  /**
   * Add a library resource. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/library/resources`
   */
  add(communityId: string, body: T.AddLibraryResourceBody, options?: RequestOptions): ApiPromise<T.LibraryResource> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/library/resources`, body }, options);
  }

  /**
   * List library resources. `file_url` is null below the required level. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/library/resources`
   */
  list(communityId: string, query?: T.ListLibraryResourcesData['query'], options?: RequestOptions): PageList<T.LibraryResource> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/library/resources`, query }, options);
  }

  /**
   * Retrieve a library resource. For a live key, or for the session of a signed-in user.
   *
   * `GET /v1/community/library/resources/{resource_id}`
   */
  retrieve(resourceId: string, options?: RequestOptions): ApiPromise<T.LibraryResource> {
    return this.transport.call({ method: 'GET', path: `/v1/community/library/resources/${segment(resourceId)}` }, options);
  }

  /**
   * Edit a library resource. For a live key, or for the session of a signed-in user.
   *
   * Problems: `community_archived`.
   *
   * `PATCH /v1/community/library/resources/{resource_id}`
   */
  update(resourceId: string, body?: T.EditLibraryResourceBody, options?: RequestOptions): ApiPromise<T.LibraryResource> {
    return this.transport.call({ method: 'PATCH', path: `/v1/community/library/resources/${segment(resourceId)}`, body }, options);
  }

  /**
   * Delete a library resource. For a live key, or for the session of a signed-in user.
   *
   * `DELETE /v1/community/library/resources/{resource_id}`
   */
  delete(resourceId: string, options?: RequestOptions): ApiPromise<T.DeletedLibraryResource> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/library/resources/${segment(resourceId)}` }, options);
  }

  /**
   * Record a download. Counts a download by the caller, and returns the address of the file. For a live key, or for the session of a signed-in user.
   *
   * Problems: `insufficient_level`, `not_a_member`, `community_archived`.
   *
   * `POST /v1/community/library/resources/{resource_id}/downloads`
   */
  recordDownload(resourceId: string, options?: RequestOptions): ApiPromise<T.CountedLibraryDownload> {
    return this.transport.call({ method: 'POST', path: `/v1/community/library/resources/${segment(resourceId)}/downloads` }, options);
  }
}

export class CommunityOnboardingTasks extends Resource {
  /**
   * Add an onboarding task. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `key_taken`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/onboarding-tasks`
   */
  add(communityId: string, body: T.AddOnboardingTaskBody, options?: RequestOptions): ApiPromise<T.OnboardingTask> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/onboarding-tasks`, body }, options);
  }

  /**
   * List onboarding tasks. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/onboarding-tasks`
   */
  list(communityId: string, query?: T.ListOnboardingTasksData['query'], options?: RequestOptions): PageList<T.OnboardingTask> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/onboarding-tasks`, query }, options);
  }

  /**
   * Retrieve the onboarding progress. Shows the tasks that the caller has completed, and those that are open. For a live key, or for the session of a signed-in user. A GET of an address that also fits `/v1/community/communities/{id}/onboarding-tasks/{task_key}` is this operation.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/onboarding-tasks/progress`
   */
  retrieveProgress(communityId: string, options?: RequestOptions): ApiPromise<T.OnboardingProgress> {
    return this.transport.call({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/onboarding-tasks/progress` }, options);
  }

  /**
   * Delete an onboarding task. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `onboarding_task_not_found`.
   *
   * `DELETE /v1/community/communities/{id}/onboarding-tasks/{task_key}`
   */
  delete(communityId: string, taskKey: string, options?: RequestOptions): ApiPromise<T.DeletedOnboardingTask> {
    return this.transport.call({ method: 'DELETE', path: `/v1/community/communities/${segment(communityId)}/onboarding-tasks/${segment(taskKey)}` }, options);
  }

  /**
   * Complete an onboarding task. Records the completion by the caller. A repeated request returns the first completion. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `onboarding_task_not_found`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/onboarding-tasks/{task_key}/complete`
   */
  complete(communityId: string, taskKey: string, options?: RequestOptions): ApiPromise<T.OnboardingTaskCompletion> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/onboarding-tasks/${segment(taskKey)}/complete` }, options);
  }
}

export class CommunityPoints extends Resource {
  /**
   * Award points. Adds points to the ledger of a member. An award with a source takes effect once: a repeated one gets 200. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `points_already_awarded`, `member_not_found`, `self_award`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/points`
   */
  award(communityId: string, body: T.AwardPointsBody, options?: RequestOptions): ApiPromise<T.PointsAward> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/points`, body }, options);
  }

  /**
   * List points. Shows the entries of all members, and to a plain member only the own ones. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/points`
   */
  list(communityId: string, query?: T.ListPointsData['query'], options?: RequestOptions): PageList<T.PointsAward> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/points`, query }, options);
  }

  /**
   * Reverse points. Enters the points of an award with a negative sign. Its source stays used. For a live key, or for the session of a signed-in user.
   *
   * Problems: `not_a_member`, `self_award`, `community_archived`.
   *
   * `POST /v1/community/communities/{id}/points/{award_id}/reversal`
   */
  reverse(communityId: string, awardId: string, body: T.ReversePointsBody, options?: RequestOptions): ApiPromise<T.PointsAward> {
    return this.transport.call({ method: 'POST', path: `/v1/community/communities/${segment(communityId)}/points/${segment(awardId)}/reversal`, body }, options);
  }
}

export class CommunityLeaderboard extends Resource {
  /**
   * Show the leaderboard. Ranks the active members who have points in the period. Members with equal points share a rank. For a live key, or for the session of a signed-in user. Returns one page of the list, most points first. A page number beyond the end returns the last page.
   *
   * Problems: `not_a_member`.
   *
   * `GET /v1/community/communities/{id}/leaderboard`
   */
  list(communityId: string, query?: T.ShowLeaderboardData['query'], options?: RequestOptions): PageList<T.LeaderboardItem> {
    return this.transport.listPages({ method: 'GET', path: `/v1/community/communities/${segment(communityId)}/leaderboard`, query }, options);
  }
}

export class Community extends Resource {
  readonly communities: CommunityCommunities = new CommunityCommunities(this.transport);
  readonly members: CommunityMembers = new CommunityMembers(this.transport);
  readonly invites: CommunityInvites = new CommunityInvites(this.transport);
  readonly posts: CommunityPosts = new CommunityPosts(this.transport);
  readonly comments: CommunityComments = new CommunityComments(this.transport);
  readonly challenges: CommunityChallenges = new CommunityChallenges(this.transport);
  readonly channels: CommunityChannels = new CommunityChannels(this.transport);
  readonly messages: CommunityMessages = new CommunityMessages(this.transport);
  readonly libraryResources: CommunityLibraryResources = new CommunityLibraryResources(this.transport);
  readonly onboardingTasks: CommunityOnboardingTasks = new CommunityOnboardingTasks(this.transport);
  readonly points: CommunityPoints = new CommunityPoints(this.transport);
  readonly leaderboard: CommunityLeaderboard = new CommunityLeaderboard(this.transport);
}

export class CommerceProducts extends Resource {
  /**
   * Create a product. A new product waits for a review, and can be bought once it is approved. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`.
   *
   * `POST /v1/commerce/products`
   */
  create(body: T.CreateProductBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products`, body, isKeyed: true }, options);
  }

  /**
   * List products. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/products`
   */
  list(query?: T.ListProductsData['query'], options?: RequestOptions): PageList<T.Product> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/products`, query }, options);
  }

  /**
   * Retrieve a product. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/products/{id}`
   */
  retrieve(productId: string, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/products/${segment(productId)}` }, options);
  }

  /**
   * Edit a product. An approved product changes at once and stays approved. Any other product becomes inactive and waits for a review. For a key of the business, or for a session of its owner.
   *
   * `PATCH /v1/commerce/products/{id}`
   */
  update(productId: string, body?: T.EditProductBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'PATCH', path: `/v1/commerce/products/${segment(productId)}`, body }, options);
  }

  /**
   * Add a plan to a product. The terms of a plan never change: for another price, add another plan. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`.
   *
   * `POST /v1/commerce/products/{id}/plans`
   */
  addPlan(productId: string, body: T.PlanBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products/${segment(productId)}/plans`, body, isKeyed: true }, options);
  }

  /**
   * Archive a plan. The plan can no longer be bought. Subscriptions that use it continue. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/commerce/products/{id}/plans/{plan_id}`
   */
  archivePlan(productId: string, planId: string, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/products/${segment(productId)}/plans/${segment(planId)}` }, options);
  }

  /**
   * Add an image to a product. Has the same effect on the review as an edit. Returns the product. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * `POST /v1/commerce/products/{id}/images`
   */
  addImage(productId: string, body: T.ImageBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products/${segment(productId)}/images`, body, isKeyed: true }, options);
  }

  /**
   * Add an attachment to a product. Has the same effect on the review as an edit. Returns the product. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * `POST /v1/commerce/products/{id}/attachments`
   */
  addAttachment(productId: string, body: T.AttachmentBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products/${segment(productId)}/attachments`, body, isKeyed: true }, options);
  }

  /**
   * Remove an image from a product. A removal restarts no review. Returns the product. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/commerce/products/{id}/images/{image_id}`
   */
  removeImage(productId: string, imageId: string, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/products/${segment(productId)}/images/${segment(imageId)}` }, options);
  }

  /**
   * Remove an attachment from a product. A removal restarts no review. Returns the product. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/commerce/products/{id}/attachments/{attachment_id}`
   */
  removeAttachment(productId: string, attachmentId: string, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/products/${segment(productId)}/attachments/${segment(attachmentId)}` }, options);
  }

  /**
   * Approve a product. Buyers can buy the product if its seller has set it active. For a session of a reviewer of the platform. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `product_not_in_review`.
   *
   * `POST /v1/commerce/products/{id}/approve`
   */
  approve(productId: string, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products/${segment(productId)}/approve`, isKeyed: true }, options);
  }

  /**
   * Deny a product. Buyers cannot buy the product. A change of it asks for another review. For a session of a reviewer of the platform. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `product_not_in_review`.
   *
   * `POST /v1/commerce/products/{id}/deny`
   */
  deny(productId: string, body: T.DenyProductBody, options?: RequestOptions): ApiPromise<T.Product> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/products/${segment(productId)}/deny`, body, isKeyed: true }, options);
  }

  /**
   * Retrieve a product as a buyer. Shows the product as buyers see it, and says whether it can be bought. For a key of the business, a session, or the token of the cart.
   *
   * `GET /v1/commerce/buyer/products/{id}`
   */
  retrieveAsBuyer(productId: string, options?: RequestOptions): ApiPromise<T.BuyerProduct> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/buyer/products/${segment(productId)}` }, options);
  }
}

export class CommerceProductReviews extends Resource {
  /**
   * List the products to review. Shows the products of all businesses and modes that wait for a review, and approved ones that changed since theirs. For a session of a reviewer of the platform. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/product-reviews`
   */
  list(query?: T.ListProductsToReviewData['query'], options?: RequestOptions): PageList<T.Product> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/product-reviews`, query }, options);
  }
}

export class CommerceDiscounts extends Resource {
  /**
   * Create a discount. Its terms never change. Each active discount of the business and the mode has another code. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `discount_code_taken`.
   *
   * `POST /v1/commerce/discounts`
   */
  create(body: T.CreateDiscountBody, options?: RequestOptions): ApiPromise<T.Discount> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/discounts`, body, isKeyed: true }, options);
  }

  /**
   * List discounts. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/discounts`
   */
  list(query?: T.ListDiscountsData['query'], options?: RequestOptions): PageList<T.Discount> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/discounts`, query }, options);
  }

  /**
   * Delete a discount. New orders can no longer use it. Subscriptions and installments that started with it keep it. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/commerce/discounts/{id}`
   */
  delete(discountId: string, options?: RequestOptions): ApiPromise<T.Discount> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/discounts/${segment(discountId)}` }, options);
  }
}

export class CommerceOffers extends Resource {
  /**
   * Create an offer. Offers a product to one buyer at a price of its own. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`.
   *
   * `POST /v1/commerce/offers`
   */
  create(body: T.CreateOfferBody, options?: RequestOptions): ApiPromise<T.Offer> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/offers`, body, isKeyed: true }, options);
  }

  /**
   * List offers. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/offers`
   */
  list(query?: T.ListOffersData['query'], options?: RequestOptions): PageList<T.Offer> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/offers`, query }, options);
  }

  /**
   * Retrieve an offer. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/offers/{id}`
   */
  retrieve(offerId: string, options?: RequestOptions): ApiPromise<T.Offer> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/offers/${segment(offerId)}` }, options);
  }

  /**
   * Send an offer. Mails the offer to its buyer. An offer that was sent before stays as it is. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `offer_not_sendable`, `offer_already_accepted`, `offer_expired`.
   *
   * `POST /v1/commerce/offers/{id}/send`
   */
  send(offerId: string, options?: RequestOptions): ApiPromise<T.Offer> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/offers/${segment(offerId)}/send`, isKeyed: true }, options);
  }

  /**
   * Resend an offer. Mails the offer to its buyer again, at most once in 60 seconds and ten times. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `offer_not_sendable`, `offer_not_sent`, `offer_already_accepted`, `offer_expired`.
   *
   * `POST /v1/commerce/offers/{id}/resend`
   */
  resend(offerId: string, options?: RequestOptions): ApiPromise<T.Offer> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/offers/${segment(offerId)}/resend`, isKeyed: true }, options);
  }

  /**
   * Cancel an offer. The buyer can no longer accept it. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `offer_already_accepted`, `offer_expired`.
   *
   * `POST /v1/commerce/offers/{id}/cancel`
   */
  cancel(offerId: string, options?: RequestOptions): ApiPromise<T.Offer> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/offers/${segment(offerId)}/cancel`, isKeyed: true }, options);
  }
}

export class CommerceCarts extends Resource {
  /**
   * Create a cart. The response has the token of the cart, with which a buyer changes the cart and checks it out. For every credential but a cart token. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `currency_mismatch`, `not_saleable`, `plan_not_available`, `offer_not_sent`, `offer_already_accepted`, `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`, `discount_invalid`.
   *
   * `POST /v1/commerce/carts`
   */
  create(body?: T.CreateCartBody, options?: RequestOptions): ApiPromise<T.CartWithSecret> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/carts`, body, isKeyed: true }, options);
  }

  /**
   * Retrieve a cart. For a key of the business, a session, or the token of the cart.
   *
   * `GET /v1/commerce/carts/{id}`
   */
  retrieve(cartId: string, options?: RequestOptions): ApiPromise<T.Cart> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/carts/${segment(cartId)}` }, options);
  }

  /**
   * Edit a cart. Changes the fields that the body contains, and keeps the others. For a key of the business, a session, or the token of the cart.
   *
   * Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`, `offer_not_sent`, `offer_already_accepted`, `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`, `discount_invalid`, `cart_not_open`.
   *
   * `PATCH /v1/commerce/carts/{id}`
   */
  update(cartId: string, body?: T.CartBody, options?: RequestOptions): ApiPromise<T.Cart> {
    return this.transport.call({ method: 'PATCH', path: `/v1/commerce/carts/${segment(cartId)}`, body }, options);
  }

  /**
   * Add a line to a cart. The line keeps the current price of the plan, and the first line decides the currency of the cart. Returns the cart. For a key of the business, a session, or the token of the cart. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`, `cart_not_open`, `cart_locked`.
   *
   * `POST /v1/commerce/carts/{id}/lines`
   */
  addLine(cartId: string, body: T.AddLineBody, options?: RequestOptions): ApiPromise<T.Cart> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/carts/${segment(cartId)}/lines`, body, isKeyed: true }, options);
  }

  /**
   * Change a line of a cart. Changes the plan or the quantity. Returns the cart. For a key of the business, a session, or the token of the cart.
   *
   * Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`, `cart_not_open`, `cart_locked`.
   *
   * `PATCH /v1/commerce/carts/{id}/lines/{line_id}`
   */
  changeLine(cartId: string, lineId: string, body?: T.ChangeLineBody, options?: RequestOptions): ApiPromise<T.Cart> {
    return this.transport.call({ method: 'PATCH', path: `/v1/commerce/carts/${segment(cartId)}/lines/${segment(lineId)}`, body }, options);
  }

  /**
   * Remove a line from a cart. Returns the cart. For a key of the business, a session, or the token of the cart.
   *
   * Problems: `cart_not_open`, `cart_locked`.
   *
   * `DELETE /v1/commerce/carts/{id}/lines/{line_id}`
   */
  removeLine(cartId: string, lineId: string, options?: RequestOptions): ApiPromise<T.Cart> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/carts/${segment(cartId)}/lines/${segment(lineId)}` }, options);
  }

  /**
   * Check out a cart. Charges the payment method, completes the order with its invoice, and starts its subscriptions and installments. After a refused payment the cart is open again. The order is `pending` while the result of the payment is not known. For a key of the business, a session, or the token of the cart. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `payment_failed`, `amount_not_supported`, `product_unavailable`, `offer_already_accepted`, `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`, `discount_invalid`, `cart_not_open`, `cart_empty`, `buyer_required`.
   *
   * `POST /v1/commerce/carts/{id}/checkout`
   */
  checkOut(cartId: string, body?: T.CheckOutBody, options?: RequestOptions): ApiPromise<T.CheckedOutOrder> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/carts/${segment(cartId)}/checkout`, body, isKeyed: true }, options);
  }
}

export class CommerceOrders extends Resource {
  /**
   * List completed orders. An order in another status can be retrieved by its id. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/orders`
   */
  list(query?: T.ListCompletedOrdersData['query'], options?: RequestOptions): PageList<T.Order> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/orders`, query }, options);
  }

  /**
   * Retrieve an order. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/orders/{id}`
   */
  retrieve(orderId: string, options?: RequestOptions): ApiPromise<T.Order> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/orders/${segment(orderId)}` }, options);
  }

  /**
   * Cancel the installments of an order. Ends them at once: no later part is charged. What is paid stays paid. A charge without a result stands: when it succeeds, its part is paid. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `installments_ended`.
   *
   * `POST /v1/commerce/orders/{id}/installments/cancellations`
   */
  cancelInstallments(orderId: string, options?: RequestOptions): ApiPromise<T.Order> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/orders/${segment(orderId)}/installments/cancellations`, isKeyed: true }, options);
  }

  /**
   * Change the payment method of the installments of an order. Later parts are charged to this method, and a part that is past due at once. For a key of the business, or for a session of its owner.
   *
   * Problems: `payment_failed`, `payment_method_invalid`, `installments_ended`.
   *
   * `PUT /v1/commerce/orders/{id}/installments/payment-method`
   */
  changePaymentMethodOfInstallments(orderId: string, body: T.MethodBody, options?: RequestOptions): ApiPromise<T.Order> {
    return this.transport.call({ method: 'PUT', path: `/v1/commerce/orders/${segment(orderId)}/installments/payment-method`, body }, options);
  }
}

export class CommercePayments extends Resource {
  /**
   * List payments. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/payments`
   */
  list(query?: T.ListPaymentsData['query'], options?: RequestOptions): PageList<T.Payment> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/payments`, query }, options);
  }

  /**
   * Retrieve a payment. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/payments/{id}`
   */
  retrieve(paymentId: string, options?: RequestOptions): ApiPromise<T.Payment> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/payments/${segment(paymentId)}` }, options);
  }
}

export class CommerceInvoices extends Resource {
  /**
   * List invoices. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/invoices`
   */
  list(query?: T.ListInvoicesData['query'], options?: RequestOptions): PageList<T.Invoice> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/invoices`, query }, options);
  }

  /**
   * Retrieve an invoice. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/invoices/{id}`
   */
  retrieve(invoiceId: string, options?: RequestOptions): ApiPromise<T.Invoice> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/invoices/${segment(invoiceId)}` }, options);
  }
}

export class CommerceRefunds extends Resource {
  /**
   * Refund a payment. Pays the buyer back, and takes the amount from the balance of the seller. The refund is `pending` while the result of the gateway is not known. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `payment_not_refundable`, `payment_already_refunded`, `refund_amount_exceeds_refundable`, `refund_declined`, `payment_disputed`, `insufficient_seller_balance`, `currency_mismatch`.
   *
   * `POST /v1/commerce/payments/{id}/refunds`
   */
  create(paymentId: string, body?: T.RefundBody, options?: RequestOptions): ApiPromise<T.Refund> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/payments/${segment(paymentId)}/refunds`, body, isKeyed: true }, options);
  }

  /**
   * List refunds. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/refunds`
   */
  list(query?: T.ListRefundsData['query'], options?: RequestOptions): PageList<T.Refund> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/refunds`, query }, options);
  }

  /**
   * Retrieve a refund. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/refunds/{id}`
   */
  retrieve(refundId: string, options?: RequestOptions): ApiPromise<T.Refund> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/refunds/${segment(refundId)}` }, options);
  }
}

export class CommerceDisputes extends Resource {
  /**
   * List disputes. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/disputes`
   */
  list(query?: T.ListDisputesData['query'], options?: RequestOptions): PageList<T.Dispute> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/disputes`, query }, options);
  }

  /**
   * Retrieve a dispute. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/disputes/{id}`
   */
  retrieve(disputeId: string, options?: RequestOptions): ApiPromise<T.Dispute> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/disputes/${segment(disputeId)}` }, options);
  }

  /**
   * Close a dispute. Decides a dispute that the simulated gateway has opened, as the bank of the buyer would. Only in test mode. The same outcome again changes nothing. For a key of the business, or for a session of its owner.
   *
   * Problems: `dispute_closed`.
   *
   * `PUT /v1/commerce/disputes/{id}/outcome`
   */
  close(disputeId: string, body: T.DisputeOutcomeBody, options?: RequestOptions): ApiPromise<T.Dispute> {
    return this.transport.call({ method: 'PUT', path: `/v1/commerce/disputes/${segment(disputeId)}/outcome`, body }, options);
  }
}

export class CommerceSubscriptions extends Resource {
  /**
   * List subscriptions. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/subscriptions`
   */
  list(query?: T.ListSubscriptionsData['query'], options?: RequestOptions): PageList<T.Subscription> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/subscriptions`, query }, options);
  }

  /**
   * Retrieve a subscription. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/subscriptions/{id}`
   */
  retrieve(subscriptionId: string, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}` }, options);
  }

  /**
   * Pause a subscription. Nothing is charged until it is resumed. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `subscription_not_pausable`.
   *
   * `POST /v1/commerce/subscriptions/{id}/pause`
   */
  pause(subscriptionId: string, body?: T.PauseBody, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/pause`, body, isKeyed: true }, options);
  }

  /**
   * Resume a subscription. Within the paid period it continues without a charge. After it, a charge starts a new period. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `payment_failed`, `subscription_cancelling`, `subscription_not_paused`.
   *
   * `POST /v1/commerce/subscriptions/{id}/resume`
   */
  resume(subscriptionId: string, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/resume`, isKeyed: true }, options);
  }

  /**
   * Cancel a subscription. It ends after its paid period, or at once. A subscription that is past due ends at once. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `subscription_already_cancelled`.
   *
   * `POST /v1/commerce/subscriptions/{id}/cancel`
   */
  cancel(subscriptionId: string, body?: T.CancelBody, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/cancel`, body, isKeyed: true }, options);
  }

  /**
   * Change the payment method of a subscription. A subscription that is past due is charged again at once. For a key of the business, or for a session of its owner.
   *
   * Problems: `payment_failed`, `payment_method_invalid`, `subscription_already_cancelled`.
   *
   * `PUT /v1/commerce/subscriptions/{id}/payment-method`
   */
  changePaymentMethod(subscriptionId: string, body: T.MethodBody, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'PUT', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/payment-method`, body }, options);
  }

  /**
   * Revoke the cancellation of a subscription. The subscription continues. Only a scheduled end can be revoked. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `no_scheduled_cancellation`.
   *
   * `POST /v1/commerce/subscriptions/{id}/uncancel`
   */
  revokeCancellation(subscriptionId: string, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/uncancel`, isKeyed: true }, options);
  }

  /**
   * List the changes of a subscription. Shows the changes of plan and price, with what became of each. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/subscriptions/{id}/changes`
   */
  listChanges(subscriptionId: string, query?: T.ListChangesOfSubscriptionData['query'], options?: RequestOptions): PageList<T.SubscriptionChange> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/changes`, query }, options);
  }

  /**
   * Change the plan of a subscription. The next renewal bills the new plan, and nothing is charged before. A pending change is replaced. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`, `plan_not_available`, `no_change`, `subscription_not_active`, `subscription_cancelling`.
   *
   * `POST /v1/commerce/subscriptions/{id}/plan`
   */
  changePlan(subscriptionId: string, body: T.ChangePlanBody, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/plan`, body, isKeyed: true }, options);
  }

  /**
   * Change the price of a subscription. The next renewal bills the new price, and nothing is charged before. A pending change is replaced. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `amount_not_supported`, `currency_mismatch`, `no_change`, `subscription_not_active`, `subscription_cancelling`.
   *
   * `POST /v1/commerce/subscriptions/{id}/price`
   */
  changePrice(subscriptionId: string, body: T.ChangePriceBody, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/price`, body, isKeyed: true }, options);
  }

  /**
   * Withdraw the pending change of a subscription. The subscription keeps its current plan and price. For a key of the business, or for a session of its owner.
   *
   * Problems: `no_pending_change`.
   *
   * `DELETE /v1/commerce/subscriptions/{id}/pending-change`
   */
  withdrawPendingChange(subscriptionId: string, options?: RequestOptions): ApiPromise<T.Subscription> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/subscriptions/${segment(subscriptionId)}/pending-change` }, options);
  }
}

export class CommerceBuyers extends Resource {
  /**
   * List buyers. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/buyers`
   */
  list(query?: T.ListBuyersData['query'], options?: RequestOptions): PageList<T.Buyer> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/buyers`, query }, options);
  }

  /**
   * Retrieve a buyer. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/buyers/{id}`
   */
  retrieve(buyerId: string, options?: RequestOptions): ApiPromise<T.Buyer> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/buyers/${segment(buyerId)}` }, options);
  }

  /**
   * Retrieve the personal data of a buyer. Shows what the business has stored about the buyer in this mode. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/buyers/{id}/personal-data`
   */
  retrievePersonalData(buyerId: string, options?: RequestOptions): ApiPromise<T.PersonalData> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/buyers/${segment(buyerId)}/personal-data` }, options);
  }

  /**
   * Erase the personal data of a buyer. Erases the address and names of the buyer in this business and mode; the open carts of the buyer expire, and the open offers are cancelled. While subscriptions, installments or unsettled payments may still charge the buyer, it is refused, unless `end_charges=true` ends them first. A payment that the gateway cannot cancel is refused then too. For a key of the business, or for a session of its owner.
   *
   * Problems: `buyer_has_active_charges`.
   *
   * `DELETE /v1/commerce/buyers/{id}/personal-data`
   */
  erasePersonalData(buyerId: string, query?: T.ErasePersonalDataOfBuyerData['query'], options?: RequestOptions): ApiPromise<T.Buyer> {
    return this.transport.call({ method: 'DELETE', path: `/v1/commerce/buyers/${segment(buyerId)}/personal-data`, query }, options);
  }
}

export class CommerceBalance extends Resource {
  /**
   * Retrieve the balance. The balance of a currency is the net amount of its sales less refunds, payouts and the disputes that are open or lost, which also take the fees of the gateway. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/balance`
   */
  retrieve(options?: RequestOptions): ApiPromise<T.Balance> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/balance` }, options);
  }
}

export class CommercePayouts extends Resource {
  /**
   * Pay out. Takes the amount from the balance of the seller, which does not have the money of an open or lost dispute. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * Problems: `insufficient_seller_balance`.
   *
   * `POST /v1/commerce/payouts`
   */
  create(body: T.PayoutBody, options?: RequestOptions): ApiPromise<T.Payout> {
    return this.transport.call({ method: 'POST', path: `/v1/commerce/payouts`, body, isKeyed: true }, options);
  }

  /**
   * List payouts. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/commerce/payouts`
   */
  list(query?: T.ListPayoutsData['query'], options?: RequestOptions): PageList<T.Payout> {
    return this.transport.listPages({ method: 'GET', path: `/v1/commerce/payouts`, query }, options);
  }
}

export class CommerceTestClock extends Resource {
  /**
   * Retrieve the test clock. Only in test mode. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/commerce/test-clock`
   */
  retrieve(options?: RequestOptions): ApiPromise<T.TestClock> {
    return this.transport.call({ method: 'GET', path: `/v1/commerce/test-clock` }, options);
  }

  /**
   * Set the test clock. Runs everything that falls due until then, in order, and responds afterwards. After 10 seconds it responds 202 with the status `advancing`, and the rest runs on: retrieve the clock until it is `ready`. Only in test mode. For a key of the business, or for a session of its owner.
   *
   * Problems: `test_clock_advancing`, `clock_moves_forward_only`, `test_clock_too_far`.
   *
   * `PUT /v1/commerce/test-clock`
   */
  set(body: T.SetTestClockBody, options?: RequestOptions): ApiPromise<T.TestClock> {
    return this.transport.call({ method: 'PUT', path: `/v1/commerce/test-clock`, body }, options);
  }
}

export class Commerce extends Resource {
  readonly products: CommerceProducts = new CommerceProducts(this.transport);
  readonly productReviews: CommerceProductReviews = new CommerceProductReviews(this.transport);
  readonly discounts: CommerceDiscounts = new CommerceDiscounts(this.transport);
  readonly offers: CommerceOffers = new CommerceOffers(this.transport);
  readonly carts: CommerceCarts = new CommerceCarts(this.transport);
  readonly orders: CommerceOrders = new CommerceOrders(this.transport);
  readonly payments: CommercePayments = new CommercePayments(this.transport);
  readonly invoices: CommerceInvoices = new CommerceInvoices(this.transport);
  readonly refunds: CommerceRefunds = new CommerceRefunds(this.transport);
  readonly disputes: CommerceDisputes = new CommerceDisputes(this.transport);
  readonly subscriptions: CommerceSubscriptions = new CommerceSubscriptions(this.transport);
  readonly buyers: CommerceBuyers = new CommerceBuyers(this.transport);
  readonly balance: CommerceBalance = new CommerceBalance(this.transport);
  readonly payouts: CommercePayouts = new CommercePayouts(this.transport);
  readonly testClock: CommerceTestClock = new CommerceTestClock(this.transport);
}

export class AuditEvents extends Resource {
  /**
   * List audit events. Shows who changed what, and when. For a key of the business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * `GET /v1/audit/events`
   */
  list(query?: T.ListAuditEventsData['query'], options?: RequestOptions): CursorList<T.AuditEvent> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/audit/events`, query }, options);
  }

  /**
   * Retrieve an audit event. Shows its data, and its resource before and after it. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/audit/events/{id}`
   */
  retrieve(eventId: string, options?: RequestOptions): ApiPromise<T.AuditEventDetail> {
    return this.transport.call({ method: 'GET', path: `/v1/audit/events/${segment(eventId)}` }, options);
  }
}

export class AuditResources extends Resource {
  /**
   * Retrieve a resource as of a time. Folds the events of the resource until that time. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/audit/resources/{id}`
   */
  retrieveAsOf(resourceId: string, query?: T.RetrieveResourceAsOfTimeData['query'], options?: RequestOptions): ApiPromise<T.AuditedResource> {
    return this.transport.call({ method: 'GET', path: `/v1/audit/resources/${segment(resourceId)}`, query }, options);
  }

  /**
   * List the history of a resource. Each item is an event with the fields that it changed. For a key of the business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.
   *
   * `GET /v1/audit/resources/{id}/history`
   */
  listHistory(resourceId: string, query?: T.ListHistoryOfResourceData['query'], options?: RequestOptions): CursorList<T.AuditHistoryItem> {
    return this.transport.listSlices({ method: 'GET', path: `/v1/audit/resources/${segment(resourceId)}/history`, query }, options);
  }
}

export class AuditCorrelations extends Resource {
  /**
   * Retrieve what a request caused. Takes the `X-Request-Id` of a response. Shows each event with the event that caused it. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/audit/correlations/{id}`
   */
  retrieve(correlationId: string, options?: RequestOptions): ApiPromise<T.AuditCorrelation> {
    return this.transport.call({ method: 'GET', path: `/v1/audit/correlations/${segment(correlationId)}` }, options);
  }
}

export class AuditChain extends Resource {
  /**
   * Retrieve the chain. Shows the head of the hash chain of the business, the newest 100 signed checkpoints, and the public key that verifies them. The chain includes the events of both modes. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/audit/chain`
   */
  retrieve(options?: RequestOptions): ApiPromise<T.AuditChain> {
    return this.transport.call({ method: 'GET', path: `/v1/audit/chain` }, options);
  }
}

export class AuditExports extends Resource {
  /**
   * Create an export. Its file also holds the hashes of the events that the filter leaves out, so that the manifest proves that the file is complete and in order. Personal fields stay encrypted. A repeated request for the same events returns the export that exists while nothing else is recorded. For a key of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.
   *
   * `POST /v1/audit/exports`
   */
  create(body?: T.CreateAuditExportBody, options?: RequestOptions): ApiPromise<T.AuditExport> {
    return this.transport.call({ method: 'POST', path: `/v1/audit/exports`, body, isKeyed: true }, options);
  }

  /**
   * List exports. For a key of the business, or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the end returns the last page.
   *
   * `GET /v1/audit/exports`
   */
  list(query?: T.ListExportsData['query'], options?: RequestOptions): PageList<T.AuditExport> {
    return this.transport.listPages({ method: 'GET', path: `/v1/audit/exports`, query }, options);
  }

  /**
   * Retrieve an export. For a key of the business, or for a session of its owner.
   *
   * `GET /v1/audit/exports/{id}`
   */
  retrieve(exportId: string, options?: RequestOptions): ApiPromise<T.AuditExport> {
    return this.transport.call({ method: 'GET', path: `/v1/audit/exports/${segment(exportId)}` }, options);
  }

  /**
   * Delete an export. Deletes its file too, or stops an export that runs. Returns the export as it was before. For a key of the business, or for a session of its owner.
   *
   * `DELETE /v1/audit/exports/{id}`
   */
  delete(exportId: string, options?: RequestOptions): ApiPromise<T.AuditExport> {
    return this.transport.call({ method: 'DELETE', path: `/v1/audit/exports/${segment(exportId)}` }, options);
  }
}

export class Audit extends Resource {
  readonly events: AuditEvents = new AuditEvents(this.transport);
  readonly resources: AuditResources = new AuditResources(this.transport);
  readonly correlations: AuditCorrelations = new AuditCorrelations(this.transport);
  readonly chain: AuditChain = new AuditChain(this.transport);
  readonly exports: AuditExports = new AuditExports(this.transport);
}

export class Areas extends Resource {
  readonly identity: Identity = new Identity(this.transport);
  readonly webhooks: Webhooks = new Webhooks(this.transport);
  readonly community: Community = new Community(this.transport);
  readonly commerce: Commerce = new Commerce(this.transport);
  readonly audit: Audit = new Audit(this.transport);
}
