# Generated from the OpenAPI document by `npm run client`. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Sequence

from ..event_streams import EventStream
from ..lists import CursorList, PageList
from ..options import RequestOptions
from ..requests import ApiRequest, segment
from ..transport import Resource, Transport
from . import types as T

if TYPE_CHECKING:
    from typing_extensions import Unpack


class IdentityApiKeys(Resource):
    def create(
        self,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateApiKeyBody],
    ) -> T.ApiKeyWithSecret:
        """Create an API key. The secret is in this response alone: the service keeps only its hash. For a session of
        the owner of the business. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `key_limit_reached`.

        `POST /v1/auth/api-keys`
        """
        request = ApiRequest("POST", "/v1/auth/api-keys", body=body, is_keyed=True)
        result: T.ApiKeyWithSecret = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.ApiKey]:
        """List API keys. Shows revoked and expired keys too. For a session of the owner of the business. Returns one
        page of the list, newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/auth/api-keys`
        """
        request = ApiRequest("GET", "/v1/auth/api-keys", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, api_key_id: str, *, options: RequestOptions | None = None) -> T.ApiKey:
        """Retrieve an API key. `last_used_at` is written once a minute at most. For a session of the owner of the
        business.

        `GET /v1/auth/api-keys/{id}`
        """
        request = ApiRequest("GET", f"/v1/auth/api-keys/{segment(api_key_id)}")
        result: T.ApiKey = self._transport.call(request, options)
        return result

    def revoke(self, api_key_id: str, *, options: RequestOptions | None = None) -> T.ApiKey:
        """Revoke an API key. The key stops working at once. The record stays. For a session of the owner of the
        business.

        `DELETE /v1/auth/api-keys/{id}`
        """
        request = ApiRequest("DELETE", f"/v1/auth/api-keys/{segment(api_key_id)}")
        result: T.ApiKey = self._transport.call(request, options)
        return result

    def rotate(
        self,
        api_key_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.RotateApiKeyBody],
    ) -> T.ApiKeyWithSecret:
        """Rotate an API key. The new key has the name, mode, access and expiry of the old one, which works until the
        overlap has passed. For a session of the owner of the business. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `key_ended`, `key_limit_reached`.

        `POST /v1/auth/api-keys/{id}/rotations`
        """
        request = ApiRequest("POST", f"/v1/auth/api-keys/{segment(api_key_id)}/rotations", body=body, is_keyed=True)
        result: T.ApiKeyWithSecret = self._transport.call(request, options)
        return result


class IdentityBusinesses(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateBusinessBody]) -> T.Business:
        """Create a business. The caller becomes its owner. For the session of a signed-in user. Can be repeated
        safely with the same `Idempotency-Key`.

        Problems: `business_limit_reached`.

        `POST /v1/businesses`
        """
        request = ApiRequest("POST", "/v1/businesses", body=body, is_keyed=True)
        result: T.Business = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Business]:
        """List businesses. Shows the businesses that the caller owns. For the session of a signed-in user. Returns
        one page of the list, newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/businesses`
        """
        request = ApiRequest("GET", "/v1/businesses", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)


class IdentityCaller(Resource):
    def retrieve(self, *, options: RequestOptions | None = None) -> T.Caller:
        """Retrieve the caller. Says who the credential belongs to and what it may do. For every credential but a
        cart token.

        `GET /v1/auth/me`
        """
        request = ApiRequest("GET", "/v1/auth/me")
        result: T.Caller = self._transport.call(request, options)
        return result


class Identity(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.api_keys = IdentityApiKeys(transport)
        self.businesses = IdentityBusinesses(transport)
        self.caller = IdentityCaller(transport)


class WebhooksEndpoints(Resource):
    def create(
        self,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateEndpointBody],
    ) -> T.WebhookEndpointWithSecret:
        """Create an endpoint. An enabled endpoint receives the public events of its types from then on. The response
        has the secret that signs them. For a key of the business, or for a session of its owner. Can be repeated
        safely with the same `Idempotency-Key`.

        Problems: `url_not_allowed`, `event_type_unknown`, `event_type_closed`, `endpoint_limit_reached`.

        `POST /v1/webhooks/endpoints`
        """
        request = ApiRequest("POST", "/v1/webhooks/endpoints", body=body, is_keyed=True)
        result: T.WebhookEndpointWithSecret = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.WebhookEndpoint]:
        """List endpoints. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/webhooks/endpoints`
        """
        request = ApiRequest("GET", "/v1/webhooks/endpoints", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, endpoint_id: str, *, options: RequestOptions | None = None) -> T.WebhookEndpoint:
        """Retrieve an endpoint. For a key of the business, or for a session of its owner.

        `GET /v1/webhooks/endpoints/{id}`
        """
        request = ApiRequest("GET", f"/v1/webhooks/endpoints/{segment(endpoint_id)}")
        result: T.WebhookEndpoint = self._transport.call(request, options)
        return result

    def update(
        self,
        endpoint_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditEndpointBody],
    ) -> T.WebhookEndpoint:
        """Edit an endpoint. Changes the fields that the body contains. A disabled endpoint misses new events, and
        its retries are dropped. For a key of the business, or for a session of its owner.

        Problems: `url_not_allowed`, `event_type_unknown`, `event_type_closed`.

        `PATCH /v1/webhooks/endpoints/{id}`
        """
        request = ApiRequest("PATCH", f"/v1/webhooks/endpoints/{segment(endpoint_id)}", body=body or None)
        result: T.WebhookEndpoint = self._transport.call(request, options)
        return result

    def delete(self, endpoint_id: str, *, options: RequestOptions | None = None) -> T.WebhookEndpoint:
        """Delete an endpoint. Its deliveries can still be read, but no longer replayed. For a key of the business,
        or for a session of its owner.

        `DELETE /v1/webhooks/endpoints/{id}`
        """
        request = ApiRequest("DELETE", f"/v1/webhooks/endpoints/{segment(endpoint_id)}")
        result: T.WebhookEndpoint = self._transport.call(request, options)
        return result

    def retrieve_statistics(
        self,
        endpoint_id: str,
        *,
        since: str | None = None,
        options: RequestOptions | None = None,
    ) -> T.WebhookEndpointStats:
        """Retrieve the statistics of an endpoint. For a key of the business, or for a session of its owner.

        Query:
            since: The statistics count from the start of this hour (UTC). The default is 30 days ago, and 7 days
                ago for statistics hour by hour, which reach back 31 days at most.

        `GET /v1/webhooks/endpoints/{id}/stats`
        """
        request = ApiRequest("GET", f"/v1/webhooks/endpoints/{segment(endpoint_id)}/stats", query={"since": since})
        result: T.WebhookEndpointStats = self._transport.call(request, options)
        return result

    def retrieve_hourly_statistics(
        self,
        endpoint_id: str,
        *,
        since: str | None = None,
        options: RequestOptions | None = None,
    ) -> T.WebhookEndpointHourlyStats:
        """Retrieve the statistics of an endpoint hour by hour. For a key of the business, or for a session of its
        owner.

        Query:
            since: The statistics count from the start of this hour (UTC). The default is 30 days ago, and 7 days
                ago for statistics hour by hour, which reach back 31 days at most.

        `GET /v1/webhooks/endpoints/{id}/hourly-stats`
        """
        request = ApiRequest(
            "GET",
            f"/v1/webhooks/endpoints/{segment(endpoint_id)}/hourly-stats",
            query={"since": since},
        )
        result: T.WebhookEndpointHourlyStats = self._transport.call(request, options)
        return result

    def rotate_secret(self, endpoint_id: str, *, options: RequestOptions | None = None) -> T.WebhookEndpointWithSecret:
        """Rotate the secret of an endpoint. Every attempt that starts later is signed with the new secret. For a
        secret key of the business. Requires an `Idempotency-Key`: a repeated request gets the first response.

        Problems: `secret_key_required`.

        `POST /v1/webhooks/endpoints/{id}/secret-rotations`
        """
        request = ApiRequest("POST", f"/v1/webhooks/endpoints/{segment(endpoint_id)}/secret-rotations", is_keyed=True)
        result: T.WebhookEndpointWithSecret = self._transport.call(request, options)
        return result

    def send_test_event(
        self,
        endpoint_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.SendTestEventBody],
    ) -> T.TestEventResult:
        """Send a test event. Sends an event with example data to this endpoint alone, also while it is disabled. For
        a key of the business, or for a session of its owner. Requires an `Idempotency-Key`: a repeated request
        gets the first response.

        Problems: `event_type_unknown`.

        `POST /v1/webhooks/endpoints/{id}/test-events`
        """
        request = ApiRequest(
            "POST",
            f"/v1/webhooks/endpoints/{segment(endpoint_id)}/test-events",
            body=body or None,
            is_keyed=True,
        )
        result: T.TestEventResult = self._transport.call(request, options)
        return result


class WebhooksDeliveries(Resource):
    def list(
        self,
        *,
        endpoint_id: str | None = None,
        event_id: str | None = None,
        event_type: Sequence[T.WebhooksEventType] | None = None,
        status: Sequence[Literal["success", "failed", "abandoned"]] | None = None,
        response_status: str | None = None,
        test: Literal["true", "false"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        replayed_from: str | None = None,
        replay_job_id: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.WebhookDelivery]:
        """List deliveries. A delivery is the record of one attempt to send an event to an endpoint. For a key of the
        business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next
        slice.

        Query:
            endpoint_id: Only deliveries to this endpoint.
            event_id: Only deliveries of this public event.
            event_type: Only deliveries of events of these types; `community.*` selects all types that begin so.
            status: Only deliveries with these statuses.
            response_status: Only deliveries whose response has this HTTP status, such as `404`, or a status of
                this class, such as `4xx`.
            test: Only test events (`true`), or no test events (`false`).
            created_from: Only deliveries whose attempt started at this time or later.
            created_to: Only deliveries whose attempt started at this time or earlier; a date means the end of
                that day (UTC).
            replayed_from: Only replays of this delivery.
            replay_job_id: Only deliveries of this replay job.
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        `GET /v1/webhooks/deliveries`
        """
        request = ApiRequest(
            "GET",
            "/v1/webhooks/deliveries",
            query={
                "endpoint_id": endpoint_id,
                "event_id": event_id,
                "event_type": event_type,
                "status": status,
                "response_status": response_status,
                "test": test,
                "created_from": created_from,
                "created_to": created_to,
                "replayed_from": replayed_from,
                "replay_job_id": replay_job_id,
                "limit": limit,
                "after": after,
            },
        )
        return self._transport.list_slices(request, options)

    def retrieve(self, delivery_id: str, *, options: RequestOptions | None = None) -> T.WebhookDelivery:
        """Retrieve a delivery. For a key of the business, or for a session of its owner.

        `GET /v1/webhooks/deliveries/{delivery_id}`
        """
        request = ApiRequest("GET", f"/v1/webhooks/deliveries/{segment(delivery_id)}")
        result: T.WebhookDelivery = self._transport.call(request, options)
        return result

    def retrieve_attempts(
        self,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.WebhookDeliveryAttempts:
        """Retrieve the attempts of a delivery. Shows all attempts to send this event to this endpoint, and the time
        of the next one. For a key of the business, or for a session of its owner.

        `GET /v1/webhooks/deliveries/{delivery_id}/attempts`
        """
        request = ApiRequest("GET", f"/v1/webhooks/deliveries/{segment(delivery_id)}/attempts")
        result: T.WebhookDeliveryAttempts = self._transport.call(request, options)
        return result

    def retrieve_request(self, delivery_id: str, *, options: RequestOptions | None = None) -> T.WebhookMessage:
        """Retrieve the request of a delivery. The request can be shown for 30 days. It is built again from the
        event, so it lacks personal data that were erased since. For a key of the business, or for a session of
        its owner.

        `GET /v1/webhooks/deliveries/{delivery_id}/request`
        """
        request = ApiRequest("GET", f"/v1/webhooks/deliveries/{segment(delivery_id)}/request")
        result: T.WebhookMessage = self._transport.call(request, options)
        return result

    def retrieve_response(self, delivery_id: str, *, options: RequestOptions | None = None) -> T.WebhookMessage:
        """Retrieve the response to a delivery. The response of the receiver can be shown for 30 days. For a key of
        the business, or for a session of its owner.

        `GET /v1/webhooks/deliveries/{delivery_id}/response`
        """
        request = ApiRequest("GET", f"/v1/webhooks/deliveries/{segment(delivery_id)}/response")
        result: T.WebhookMessage = self._transport.call(request, options)
        return result

    def replay(self, delivery_id: str, *, options: RequestOptions | None = None) -> T.WebhookDelivery:
        """Replay a delivery. Sends the event of the delivery to its endpoint again. For a key of the business, or
        for a session of its owner. Requires an `Idempotency-Key`: a repeated request gets the first response.

        Problems: `delivery_in_progress`, `delivery_replayed_by_job`, `endpoint_disabled`, `expired`,
        `attempts_exhausted`.

        `POST /v1/webhooks/deliveries/{delivery_id}/replay`
        """
        request = ApiRequest("POST", f"/v1/webhooks/deliveries/{segment(delivery_id)}/replay", is_keyed=True)
        result: T.WebhookDelivery = self._transport.call(request, options)
        return result


class WebhooksEvents(Resource):
    def stream(
        self,
        *,
        event_type: Sequence[T.WebhooksEventType] | None = None,
        resource: str | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> EventStream:
        """Stream public events. For a key of the business, or for a session of its owner. Sends each new public
        event as it is published. A client that connects again with the id of its last event misses none. A GET of
        an address that also fits `/v1/webhooks/events/{id}` is this operation.

        Query:
            event_type: Only events of these types; `community.*` selects all types that begin so, and without
                this filter the stream has the types that `*` selects.
            resource: Only events whose data have this `id`: those of one resource.
            after: The id of the last event that the client has; the stream continues after it. `Last-Event-ID`
                replaces it.

        `GET /v1/webhooks/events/stream`
        """
        request = ApiRequest(
            "GET",
            "/v1/webhooks/events/stream",
            query={"event_type": event_type, "resource": resource, "after": after},
        )
        return self._transport.stream(request, options)

    def list(
        self,
        *,
        event_type: Sequence[T.WebhooksEventType] | None = None,
        resource: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.PublicEvent]:
        """List public events. An event is in the list also when no endpoint receives it. For a key of the business,
        or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next slice.

        Query:
            event_type: Only events of these types; `community.*` selects all types that begin so.
            resource: Only events whose data have this `id`: those of one resource.
            created_from: Only events that were recorded at this time or later.
            created_to: Only events that were recorded at this time or earlier; a date means the end of that day
                (UTC).
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        `GET /v1/webhooks/events`
        """
        request = ApiRequest(
            "GET",
            "/v1/webhooks/events",
            query={
                "event_type": event_type,
                "resource": resource,
                "created_from": created_from,
                "created_to": created_to,
                "limit": limit,
                "after": after,
            },
        )
        return self._transport.list_slices(request, options)

    def retrieve(self, event_id: str, *, options: RequestOptions | None = None) -> T.PublicEvent:
        """Retrieve a public event. For a key of the business, or for a session of its owner.

        `GET /v1/webhooks/events/{id}`
        """
        request = ApiRequest("GET", f"/v1/webhooks/events/{segment(event_id)}")
        result: T.PublicEvent = self._transport.call(request, options)
        return result


class WebhooksEventTypes(Resource):
    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.EventType]:
        """List event types. The catalogue is the same for every business. For a key of the business, or for a
        session of its owner. Returns one page of the list. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/webhooks/event-types`
        """
        request = ApiRequest("GET", "/v1/webhooks/event-types", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, event_type_id: str, *, options: RequestOptions | None = None) -> T.EventType:
        """Retrieve an event type. Says whether `*` includes the type. For a key of the business, or for a session of
        its owner.

        `GET /v1/webhooks/event-types/{id}`
        """
        request = ApiRequest("GET", f"/v1/webhooks/event-types/{segment(event_type_id)}")
        result: T.EventType = self._transport.call(request, options)
        return result

    def retrieve_schema(self, event_type_id: str, *, options: RequestOptions | None = None) -> T.EventDataSchema:
        """Retrieve the schema of an event type. Shows the JSON Schema of the data in events of the type. For a key
        of the business, or for a session of its owner.

        `GET /v1/webhooks/event-types/{id}/schema`
        """
        request = ApiRequest("GET", f"/v1/webhooks/event-types/{segment(event_type_id)}/schema")
        result: T.EventDataSchema = self._transport.call(request, options)
        return result


class WebhooksReplayJobs(Resource):
    def create(
        self,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.RequestReplayJobBody],
    ) -> T.ReplayForecast | T.ReplayJob:
        """Create a replay job. Sends again the events of a time window that endpoints did not receive. With
        `dry_run` it only counts them: 200. For a key of the business, or for a session of its owner. Can be
        repeated safely with the same `Idempotency-Key`.

        Problems: `replay_job_conflict`, `window_too_large`.

        `POST /v1/webhooks/replay-jobs`
        """
        request = ApiRequest("POST", "/v1/webhooks/replay-jobs", body=body, is_keyed=True)
        result: T.ReplayForecast | T.ReplayJob = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.ReplayJob]:
        """List replay jobs. For a key of the business, or for a session of its owner. Returns one slice of the list;
        `next_cursor` leads to the next slice.

        Query:
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        `GET /v1/webhooks/replay-jobs`
        """
        request = ApiRequest("GET", "/v1/webhooks/replay-jobs", query={"limit": limit, "after": after})
        return self._transport.list_slices(request, options)

    def retrieve(self, replay_job_id: str, *, options: RequestOptions | None = None) -> T.ReplayJob:
        """Retrieve a replay job. For a key of the business, or for a session of its owner.

        `GET /v1/webhooks/replay-jobs/{id}`
        """
        request = ApiRequest("GET", f"/v1/webhooks/replay-jobs/{segment(replay_job_id)}")
        result: T.ReplayJob = self._transport.call(request, options)
        return result

    def cancel(self, replay_job_id: str, *, options: RequestOptions | None = None) -> T.ReplayJob:
        """Cancel a replay job. Open attempts end, and the events that were not sent again yet are skipped. For a key
        of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `replay_job_finished`.

        `POST /v1/webhooks/replay-jobs/{id}/cancel`
        """
        request = ApiRequest("POST", f"/v1/webhooks/replay-jobs/{segment(replay_job_id)}/cancel", is_keyed=True)
        result: T.ReplayJob = self._transport.call(request, options)
        return result


class Webhooks(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.endpoints = WebhooksEndpoints(transport)
        self.deliveries = WebhooksDeliveries(transport)
        self.events = WebhooksEvents(transport)
        self.event_types = WebhooksEventTypes(transport)
        self.replay_jobs = WebhooksReplayJobs(transport)


class CommunityCommunities(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateCommunityBody]) -> T.Community:
        """Create a community. The user of the caller becomes its owner. It gets a default channel and default
        onboarding tasks. For a live key, or for the session of a signed-in user.

        `POST /v1/community/communities`
        """
        request = ApiRequest("POST", "/v1/community/communities", body=body)
        result: T.Community = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        member: Literal["me"] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Community]:
        """List communities. Shows the communities of the business that the caller acts for, or else those of the
        user. For a live key, or for the session of a signed-in user. Returns one page of the list, newest items
        first. A page number beyond the end returns the last page.

        Query:
            member: The value `me` lists the communities whose active member the caller is, in place of those that
                the caller manages.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        `GET /v1/community/communities`
        """
        request = ApiRequest(
            "GET",
            "/v1/community/communities",
            query={"member": member, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, community_id: str, *, options: RequestOptions | None = None) -> T.SeenCommunity:
        """Retrieve a community. A caller who is no member sees its public fields. For a live key, or for the session
        of a signed-in user.

        `GET /v1/community/communities/{id}`
        """
        request = ApiRequest("GET", f"/v1/community/communities/{segment(community_id)}")
        result: T.SeenCommunity = self._transport.call(request, options)
        return result

    def update(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditCommunityBody],
    ) -> T.Community:
        """Edit a community. The owner edits it, and reopens an archived one with the status `active`. For a live
        key, or for the session of a signed-in user.

        Problems: `not_a_member`, `product_required`, `levels_not_rising`, `community_archived`.

        `PATCH /v1/community/communities/{id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/communities/{segment(community_id)}", body=body or None)
        result: T.Community = self._transport.call(request, options)
        return result

    def archive(self, community_id: str, *, options: RequestOptions | None = None) -> T.Community:
        """Archive a community. It can be read, left and cleaned up, until its owner reopens it. For a live key, or
        for the session of a signed-in user.

        Problems: `not_a_member`.

        `POST /v1/community/communities/{id}/archive`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/archive")
        result: T.Community = self._transport.call(request, options)
        return result

    def transfer(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.TransferCommunityBody],
    ) -> T.Community:
        """Transfer a community. Makes another active member the owner. The owner before becomes a moderator. For a
        live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `community_archived`.

        `POST /v1/community/communities/{id}/transfer`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/transfer", body=body)
        result: T.Community = self._transport.call(request, options)
        return result

    def join(self, community_id: str, *, options: RequestOptions | None = None) -> T.CommunityMember:
        """Join a community. Makes the user of the caller a member, if the community is open to the user. A member
        gets 200. For a live key, or for the session of a signed-in user.

        Problems: `invite_required`, `purchase_required`, `banned`, `community_archived`.

        `POST /v1/community/communities/{id}/join`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/join")
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def leave(self, community_id: str, *, options: RequestOptions | None = None) -> T.CommunityMember:
        """Leave a community. The owner cannot leave. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `last_owner`.

        `POST /v1/community/communities/{id}/leave`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/leave")
        result: T.CommunityMember = self._transport.call(request, options)
        return result


class CommunityMembers(Resource):
    def list(
        self,
        community_id: str,
        *,
        role: Sequence[Literal["owner", "moderator", "member"]] | None = None,
        status: Sequence[Literal["active", "pending", "removed", "banned"]] | None = None,
        email: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.CommunityMember]:
        """List members. Shows the active members. The owner and moderators see the addresses too, and find other
        members by `status`. For a live key, or for the session of a signed-in user. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            role: The roles of the members to list; without it, all roles.
            status: The statuses of the members to list; without it, the active members. Only the owner and
                moderators may set it.
            email: The exact e-mail address of the member to list. Only the owner and moderators may set it.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/members`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/members",
            query={"role": role, "status": status, "email": email, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, community_id: str, user_id: str, *, options: RequestOptions | None = None) -> T.CommunityMember:
        """Retrieve a member. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/members/{user_id}`
        """
        request = ApiRequest("GET", f"/v1/community/communities/{segment(community_id)}/members/{segment(user_id)}")
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def change(
        self,
        community_id: str,
        user_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ChangeMemberBody],
    ) -> T.CommunityMember:
        """Change a member. The owner changes the role or the level of a member, or bans the member. A member who
        left, was removed or is banned has no role and no level to change, and only a ban can be ended: 404. For a
        live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `owner_protected`, `community_archived`.

        `PATCH /v1/community/communities/{id}/members/{user_id}`
        """
        request = ApiRequest(
            "PATCH",
            f"/v1/community/communities/{segment(community_id)}/members/{segment(user_id)}",
            body=body or None,
        )
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def remove(self, community_id: str, user_id: str, *, options: RequestOptions | None = None) -> T.CommunityMember:
        """Remove a member. The owner removes any other member, and a moderator a plain member. For a live key, or
        for the session of a signed-in user.

        Problems: `not_a_member`, `owner_protected`.

        `DELETE /v1/community/communities/{id}/members/{user_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/communities/{segment(community_id)}/members/{segment(user_id)}")
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def assign_expert_badge(
        self,
        community_id: str,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.CommunityMember:
        """Assign the expert badge. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `community_archived`.

        `PUT /v1/community/communities/{id}/members/{user_id}/expert-badge`
        """
        request = ApiRequest(
            "PUT",
            f"/v1/community/communities/{segment(community_id)}/members/{segment(user_id)}/expert-badge",
        )
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def remove_expert_badge(
        self,
        community_id: str,
        user_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.CommunityMember:
        """Remove the expert badge. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `community_archived`.

        `DELETE /v1/community/communities/{id}/members/{user_id}/expert-badge`
        """
        request = ApiRequest(
            "DELETE",
            f"/v1/community/communities/{segment(community_id)}/members/{segment(user_id)}/expert-badge",
        )
        result: T.CommunityMember = self._transport.call(request, options)
        return result

    def import_(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ImportMembersBody],
    ) -> T.MemberImport:
        """Import members. Adds or changes one member for each row, and returns the result of each row. An invalid
        row fails alone. For a live key, or for the session of a signed-in user. A POST of an address that also
        fits `/v1/community/communities/{id}/members/{user_id}` is this operation.

        Problems: `not_a_member`, `community_archived`.

        `POST /v1/community/communities/{id}/members/import`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/members/import", body=body)
        result: T.MemberImport = self._transport.call(request, options)
        return result

    def retrieve_import(
        self,
        community_id: str,
        import_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.MemberImport:
        """Retrieve a member import. For a live key, or for the session of a signed-in user. A GET of an address that
        also fits `/v1/community/communities/{id}/members/{user_id}/expert-badge` is this operation.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/members/imports/{import_id}`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/members/imports/{segment(import_id)}",
        )
        result: T.MemberImport = self._transport.call(request, options)
        return result


class CommunityInvites(Resource):
    def create(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.InviteBody],
    ) -> T.Invite:
        """Create an invite. Invites an address by mail. A pending invite of the address gets the new terms instead:
        200. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `banned`, `already_member`, `community_archived`.

        `POST /v1/community/communities/{id}/invites`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/invites", body=body)
        result: T.Invite = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Invite]:
        """List invites. For a live key, or for the session of a signed-in user. Returns one page of the list, newest
        items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/invites`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/invites",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def list_own(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Invite]:
        """List own invites. Shows the invites of the address of the caller, in all communities. For a live key, or
        for the session of a signed-in user. Returns one page of the list, newest items first. A page number
        beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        `GET /v1/community/invites`
        """
        request = ApiRequest("GET", "/v1/community/invites", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, invite_id: str, *, options: RequestOptions | None = None) -> T.Invite:
        """Retrieve an invite. For a live key, or for the session of a signed-in user.

        `GET /v1/community/invites/{invite_id}`
        """
        request = ApiRequest("GET", f"/v1/community/invites/{segment(invite_id)}")
        result: T.Invite = self._transport.call(request, options)
        return result

    def revoke(self, invite_id: str, *, options: RequestOptions | None = None) -> T.Invite:
        """Revoke an invite. It can no longer be accepted. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `invite_already_accepted`, `invite_declined`, `community_archived`.

        `DELETE /v1/community/invites/{invite_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/invites/{segment(invite_id)}")
        result: T.Invite = self._transport.call(request, options)
        return result

    def accept(self, invite_id: str, *, options: RequestOptions | None = None) -> T.Invite:
        """Accept an invite. Makes the invited user a member, also of a paid community or one that requires an
        invite. For a live key, or for the session of a signed-in user.

        Problems: `banned`, `invite_already_accepted`, `invite_declined`, `invite_revoked`, `invite_expired`,
        `community_archived`.

        `POST /v1/community/invites/{invite_id}/accept`
        """
        request = ApiRequest("POST", f"/v1/community/invites/{segment(invite_id)}/accept")
        result: T.Invite = self._transport.call(request, options)
        return result

    def decline(self, invite_id: str, *, options: RequestOptions | None = None) -> T.Invite:
        """Decline an invite. For a live key, or for the session of a signed-in user.

        Problems: `invite_already_accepted`, `invite_revoked`, `invite_expired`, `community_archived`.

        `POST /v1/community/invites/{invite_id}/decline`
        """
        request = ApiRequest("POST", f"/v1/community/invites/{segment(invite_id)}/decline")
        result: T.Invite = self._transport.call(request, options)
        return result

    def resend(self, invite_id: str, *, options: RequestOptions | None = None) -> T.Invite:
        """Resend an invite. Sends the mail again, at most once in 60 seconds and ten times. For a live key, or for
        the session of a signed-in user.

        Problems: `not_a_member`, `invite_already_accepted`, `invite_declined`, `invite_revoked`,
        `invite_expired`, `community_archived`.

        `POST /v1/community/invites/{invite_id}/resend`
        """
        request = ApiRequest("POST", f"/v1/community/invites/{segment(invite_id)}/resend")
        result: T.Invite = self._transport.call(request, options)
        return result


class CommunityPosts(Resource):
    def create(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreatePostBody],
    ) -> T.Post:
        """Create a post. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `content_required`, `community_archived`.

        `POST /v1/community/communities/{id}/posts`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/posts", body=body or None)
        result: T.Post = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Post]:
        """List posts. Shows the posts that are not deleted. For a live key, or for the session of a signed-in user.
        Returns one page of the list, newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/posts`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/posts",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, post_id: str, *, options: RequestOptions | None = None) -> T.Post:
        """Retrieve a post. For a live key, or for the session of a signed-in user.

        `GET /v1/community/posts/{post_id}`
        """
        request = ApiRequest("GET", f"/v1/community/posts/{segment(post_id)}")
        result: T.Post = self._transport.call(request, options)
        return result

    def update(self, post_id: str, *, options: RequestOptions | None = None, **body: Unpack[T.EditPostBody]) -> T.Post:
        """Edit a post. Only its author edits it. For a live key, or for the session of a signed-in user.

        Problems: `content_required`, `community_archived`.

        `PATCH /v1/community/posts/{post_id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/posts/{segment(post_id)}", body=body or None)
        result: T.Post = self._transport.call(request, options)
        return result

    def delete(self, post_id: str, *, options: RequestOptions | None = None) -> T.DeletedPost:
        """Delete a post. For a live key, or for the session of a signed-in user.

        `DELETE /v1/community/posts/{post_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/posts/{segment(post_id)}")
        result: T.DeletedPost = self._transport.call(request, options)
        return result

    def restore(self, post_id: str, *, options: RequestOptions | None = None) -> T.Post:
        """Restore a post. The owner and moderators restore it within 30 days after its deletion. For a live key, or
        for the session of a signed-in user.

        Problems: `restore_expired`, `community_archived`.

        `POST /v1/community/posts/{post_id}/restore`
        """
        request = ApiRequest("POST", f"/v1/community/posts/{segment(post_id)}/restore")
        result: T.Post = self._transport.call(request, options)
        return result

    def like(self, post_id: str, *, options: RequestOptions | None = None) -> T.Post:
        """Like a post. For a live key, or for the session of a signed-in user.

        Problems: `insufficient_level`, `community_archived`.

        `PUT /v1/community/posts/{post_id}/like`
        """
        request = ApiRequest("PUT", f"/v1/community/posts/{segment(post_id)}/like")
        result: T.Post = self._transport.call(request, options)
        return result

    def unlike(self, post_id: str, *, options: RequestOptions | None = None) -> T.Post:
        """Unlike a post. For a live key, or for the session of a signed-in user.

        Problems: `insufficient_level`, `community_archived`.

        `DELETE /v1/community/posts/{post_id}/like`
        """
        request = ApiRequest("DELETE", f"/v1/community/posts/{segment(post_id)}/like")
        result: T.Post = self._transport.call(request, options)
        return result


class CommunityComments(Resource):
    def create(
        self,
        post_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateCommentBody],
    ) -> T.Comment:
        """Comment on a post. For a live key, or for the session of a signed-in user.

        Problems: `insufficient_level`, `content_required`, `reply_target_invalid`, `community_archived`.

        `POST /v1/community/posts/{post_id}/comments`
        """
        request = ApiRequest("POST", f"/v1/community/posts/{segment(post_id)}/comments", body=body)
        result: T.Comment = self._transport.call(request, options)
        return result

    def list(
        self,
        post_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Comment]:
        """List comments. A deleted comment has no content. For a live key, or for the session of a signed-in user.
        Returns one page of the list, newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `insufficient_level`.

        `GET /v1/community/posts/{post_id}/comments`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/posts/{segment(post_id)}/comments",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def delete(self, comment_id: str, *, options: RequestOptions | None = None) -> T.DeletedComment:
        """Delete a comment. For a live key, or for the session of a signed-in user.

        `DELETE /v1/community/comments/{comment_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/comments/{segment(comment_id)}")
        result: T.DeletedComment = self._transport.call(request, options)
        return result


class CommunityChallenges(Resource):
    def create(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateChallengeBody],
    ) -> T.Challenge:
        """Create a challenge. The owner and moderators create it. It starts at once by default. For a live key, or
        for the session of a signed-in user.

        Problems: `not_a_member`, `invalid_range`, `invalid_timezone`, `community_archived`.

        `POST /v1/community/communities/{id}/challenges`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/challenges", body=body)
        result: T.Challenge = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Challenge]:
        """List challenges. Shows the challenges that are not cancelled. For a live key, or for the session of a
        signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the
        last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/challenges`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/challenges",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, challenge_id: str, *, options: RequestOptions | None = None) -> T.Challenge:
        """Retrieve a challenge. Only the owner and moderators see a cancelled one. For a live key, or for the
        session of a signed-in user.

        `GET /v1/community/challenges/{challenge_id}`
        """
        request = ApiRequest("GET", f"/v1/community/challenges/{segment(challenge_id)}")
        result: T.Challenge = self._transport.call(request, options)
        return result

    def update(
        self,
        challenge_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditChallengeBody],
    ) -> T.Challenge:
        """Edit a challenge. The owner and moderators edit it until it ends or is cancelled. For a live key, or for
        the session of a signed-in user.

        Problems: `invalid_range`, `invalid_timezone`, `challenge_ended`, `challenge_cancelled`,
        `community_archived`.

        `PATCH /v1/community/challenges/{challenge_id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/challenges/{segment(challenge_id)}", body=body or None)
        result: T.Challenge = self._transport.call(request, options)
        return result

    def cancel(self, challenge_id: str, *, options: RequestOptions | None = None) -> T.Challenge:
        """Cancel a challenge. The owner and moderators cancel it. Activities no longer count for it. For a live key,
        or for the session of a signed-in user.

        Problems: `challenge_ended`.

        `DELETE /v1/community/challenges/{challenge_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/challenges/{segment(challenge_id)}")
        result: T.Challenge = self._transport.call(request, options)
        return result

    def join(self, challenge_id: str, *, options: RequestOptions | None = None) -> T.ChallengeProgress:
        """Join a challenge. Enters the caller in the challenge. A repeated request returns the progress so far. For
        a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `challenge_ended`, `challenge_cancelled`, `community_archived`.

        `POST /v1/community/challenges/{challenge_id}/join`
        """
        request = ApiRequest("POST", f"/v1/community/challenges/{segment(challenge_id)}/join")
        result: T.ChallengeProgress = self._transport.call(request, options)
        return result

    def retrieve_progress(self, challenge_id: str, *, options: RequestOptions | None = None) -> T.ChallengeProgress:
        """Retrieve challenge progress. Shows the progress of the caller, who must have joined. Activities count
        within moments. For a live key, or for the session of a signed-in user.

        `GET /v1/community/challenges/{challenge_id}/progress`
        """
        request = ApiRequest("GET", f"/v1/community/challenges/{segment(challenge_id)}/progress")
        result: T.ChallengeProgress = self._transport.call(request, options)
        return result


class CommunityChannels(Resource):
    def create(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateChannelBody],
    ) -> T.Channel:
        """Create a channel. The owner and moderators create it, under a name that no other channel of the community
        has. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `name_taken`, `community_archived`.

        `POST /v1/community/communities/{id}/channels`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/channels", body=body)
        result: T.Channel = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Channel]:
        """List channels. Shows the channels that the caller may see. For a live key, or for the session of a
        signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns the
        last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/channels`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/channels",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, channel_id: str, *, options: RequestOptions | None = None) -> T.Channel:
        """Retrieve a channel. For a live key, or for the session of a signed-in user.

        Problems: `insufficient_level`.

        `GET /v1/community/channels/{channel_id}`
        """
        request = ApiRequest("GET", f"/v1/community/channels/{segment(channel_id)}")
        result: T.Channel = self._transport.call(request, options)
        return result

    def update(
        self,
        channel_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditChannelBody],
    ) -> T.Channel:
        """Edit a channel. For a live key, or for the session of a signed-in user.

        Problems: `name_taken`, `default_channel_protected`, `community_archived`.

        `PATCH /v1/community/channels/{channel_id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/channels/{segment(channel_id)}", body=body or None)
        result: T.Channel = self._transport.call(request, options)
        return result

    def delete(self, channel_id: str, *, options: RequestOptions | None = None) -> T.DeletedChannel:
        """Delete a channel. Hides its messages too. The default channel cannot be deleted. For a live key, or for
        the session of a signed-in user.

        Problems: `default_channel_protected`.

        `DELETE /v1/community/channels/{channel_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/channels/{segment(channel_id)}")
        result: T.DeletedChannel = self._transport.call(request, options)
        return result


class CommunityMessages(Resource):
    def send(
        self,
        channel_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.SendMessageBody],
    ) -> T.Message:
        """Send a message. For a live key, or for the session of a signed-in user.

        Problems: `insufficient_level`, `posting_restricted`, `content_required`, `reply_target_invalid`,
        `community_archived`.

        `POST /v1/community/channels/{channel_id}/messages`
        """
        request = ApiRequest("POST", f"/v1/community/channels/{segment(channel_id)}/messages", body=body or None)
        result: T.Message = self._transport.call(request, options)
        return result

    def list(
        self,
        channel_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.Message]:
        """List messages. A deleted message has no content. For a live key, or for the session of a signed-in user.
        Returns one slice of the list; `next_cursor` leads to the next slice.

        Query:
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        Problems: `insufficient_level`.

        `GET /v1/community/channels/{channel_id}/messages`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/channels/{segment(channel_id)}/messages",
            query={"limit": limit, "after": after},
        )
        return self._transport.list_slices(request, options)

    def retrieve(self, message_id: str, *, options: RequestOptions | None = None) -> T.Message:
        """Retrieve a message. For a live key, or for the session of a signed-in user.

        `GET /v1/community/messages/{message_id}`
        """
        request = ApiRequest("GET", f"/v1/community/messages/{segment(message_id)}")
        result: T.Message = self._transport.call(request, options)
        return result

    def update(
        self,
        message_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditMessageBody],
    ) -> T.Message:
        """Edit a message. Only its author edits it. For a live key, or for the session of a signed-in user.

        Problems: `content_required`, `community_archived`.

        `PATCH /v1/community/messages/{message_id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/messages/{segment(message_id)}", body=body or None)
        result: T.Message = self._transport.call(request, options)
        return result

    def delete(self, message_id: str, *, options: RequestOptions | None = None) -> T.Message:
        """Delete a message. For a live key, or for the session of a signed-in user.

        `DELETE /v1/community/messages/{message_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/messages/{segment(message_id)}")
        result: T.Message = self._transport.call(request, options)
        return result


class CommunityLibraryResources(Resource):
    def add(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.AddLibraryResourceBody],
    ) -> T.LibraryResource:
        """Add a library resource. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `community_archived`.

        `POST /v1/community/communities/{id}/library/resources`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/library/resources", body=body)
        result: T.LibraryResource = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.LibraryResource]:
        """List library resources. `file_url` is null below the required level. For a live key, or for the session of
        a signed-in user. Returns one page of the list, newest items first. A page number beyond the end returns
        the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/library/resources`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/library/resources",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, resource_id: str, *, options: RequestOptions | None = None) -> T.LibraryResource:
        """Retrieve a library resource. For a live key, or for the session of a signed-in user.

        `GET /v1/community/library/resources/{resource_id}`
        """
        request = ApiRequest("GET", f"/v1/community/library/resources/{segment(resource_id)}")
        result: T.LibraryResource = self._transport.call(request, options)
        return result

    def update(
        self,
        resource_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditLibraryResourceBody],
    ) -> T.LibraryResource:
        """Edit a library resource. For a live key, or for the session of a signed-in user.

        Problems: `community_archived`.

        `PATCH /v1/community/library/resources/{resource_id}`
        """
        request = ApiRequest("PATCH", f"/v1/community/library/resources/{segment(resource_id)}", body=body or None)
        result: T.LibraryResource = self._transport.call(request, options)
        return result

    def delete(self, resource_id: str, *, options: RequestOptions | None = None) -> T.DeletedLibraryResource:
        """Delete a library resource. For a live key, or for the session of a signed-in user.

        `DELETE /v1/community/library/resources/{resource_id}`
        """
        request = ApiRequest("DELETE", f"/v1/community/library/resources/{segment(resource_id)}")
        result: T.DeletedLibraryResource = self._transport.call(request, options)
        return result

    def record_download(self, resource_id: str, *, options: RequestOptions | None = None) -> T.CountedLibraryDownload:
        """Record a download. Counts a download by the caller, and returns the address of the file. For a live key,
        or for the session of a signed-in user.

        Problems: `insufficient_level`, `not_a_member`, `community_archived`.

        `POST /v1/community/library/resources/{resource_id}/downloads`
        """
        request = ApiRequest("POST", f"/v1/community/library/resources/{segment(resource_id)}/downloads")
        result: T.CountedLibraryDownload = self._transport.call(request, options)
        return result


class CommunityOnboardingTasks(Resource):
    def add(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.AddOnboardingTaskBody],
    ) -> T.OnboardingTask:
        """Add an onboarding task. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `key_taken`, `community_archived`.

        `POST /v1/community/communities/{id}/onboarding-tasks`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/onboarding-tasks", body=body)
        result: T.OnboardingTask = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.OnboardingTask]:
        """List onboarding tasks. For a live key, or for the session of a signed-in user. Returns one page of the
        list, newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/onboarding-tasks`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/onboarding-tasks",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve_progress(self, community_id: str, *, options: RequestOptions | None = None) -> T.OnboardingProgress:
        """Retrieve the onboarding progress. Shows the tasks that the caller has completed, and those that are open.
        For a live key, or for the session of a signed-in user. A GET of an address that also fits
        `/v1/community/communities/{id}/onboarding-tasks/{task_key}` is this operation.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/onboarding-tasks/progress`
        """
        request = ApiRequest("GET", f"/v1/community/communities/{segment(community_id)}/onboarding-tasks/progress")
        result: T.OnboardingProgress = self._transport.call(request, options)
        return result

    def delete(
        self,
        community_id: str,
        task_key: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.DeletedOnboardingTask:
        """Delete an onboarding task. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `onboarding_task_not_found`.

        `DELETE /v1/community/communities/{id}/onboarding-tasks/{task_key}`
        """
        request = ApiRequest(
            "DELETE",
            f"/v1/community/communities/{segment(community_id)}/onboarding-tasks/{segment(task_key)}",
        )
        result: T.DeletedOnboardingTask = self._transport.call(request, options)
        return result

    def complete(
        self,
        community_id: str,
        task_key: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.OnboardingTaskCompletion:
        """Complete an onboarding task. Records the completion by the caller. A repeated request returns the first
        completion. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `onboarding_task_not_found`, `community_archived`.

        `POST /v1/community/communities/{id}/onboarding-tasks/{task_key}/complete`
        """
        request = ApiRequest(
            "POST",
            f"/v1/community/communities/{segment(community_id)}/onboarding-tasks/{segment(task_key)}/complete",
        )
        result: T.OnboardingTaskCompletion = self._transport.call(request, options)
        return result


class CommunityPoints(Resource):
    def award(
        self,
        community_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.AwardPointsBody],
    ) -> T.PointsAward:
        """Award points. Adds points to the ledger of a member. An award with a source takes effect once: a repeated
        one gets 200. For a live key, or for the session of a signed-in user.

        Problems: `not_a_member`, `points_already_awarded`, `member_not_found`, `self_award`,
        `community_archived`.

        `POST /v1/community/communities/{id}/points`
        """
        request = ApiRequest("POST", f"/v1/community/communities/{segment(community_id)}/points", body=body)
        result: T.PointsAward = self._transport.call(request, options)
        return result

    def list(
        self,
        community_id: str,
        *,
        target_email: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.PointsAward]:
        """List points. Shows the entries of all members, and to a plain member only the own ones. For a live key, or
        for the session of a signed-in user. Returns one page of the list, newest items first. A page number
        beyond the end returns the last page.

        Query:
            target_email: The exact e-mail address of the member whose entries to list; a plain member can give
                only the own one.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/points`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/points",
            query={"target_email": target_email, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def reverse(
        self,
        community_id: str,
        award_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ReversePointsBody],
    ) -> T.PointsAward:
        """Reverse points. Enters the points of an award with a negative sign. Its source stays used. For a live key,
        or for the session of a signed-in user.

        Problems: `not_a_member`, `self_award`, `community_archived`.

        `POST /v1/community/communities/{id}/points/{award_id}/reversal`
        """
        request = ApiRequest(
            "POST",
            f"/v1/community/communities/{segment(community_id)}/points/{segment(award_id)}/reversal",
            body=body,
        )
        result: T.PointsAward = self._transport.call(request, options)
        return result


class CommunityLeaderboard(Resource):
    def list(
        self,
        community_id: str,
        *,
        period: Literal["7d", "30d", "all"] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.LeaderboardItem]:
        """Show the leaderboard. Ranks the active members who have points in the period. Members with equal points
        share a rank. For a live key, or for the session of a signed-in user. Returns one page of the list, most
        points first. A page number beyond the end returns the last page.

        Query:
            period: The days whose points count, in UTC with today: the last 7 (`7d`), the last 30 (`30d`), or
                `all`.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.

        Problems: `not_a_member`.

        `GET /v1/community/communities/{id}/leaderboard`
        """
        request = ApiRequest(
            "GET",
            f"/v1/community/communities/{segment(community_id)}/leaderboard",
            query={"period": period, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)


class Community(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.communities = CommunityCommunities(transport)
        self.members = CommunityMembers(transport)
        self.invites = CommunityInvites(transport)
        self.posts = CommunityPosts(transport)
        self.comments = CommunityComments(transport)
        self.challenges = CommunityChallenges(transport)
        self.channels = CommunityChannels(transport)
        self.messages = CommunityMessages(transport)
        self.library_resources = CommunityLibraryResources(transport)
        self.onboarding_tasks = CommunityOnboardingTasks(transport)
        self.points = CommunityPoints(transport)
        self.leaderboard = CommunityLeaderboard(transport)


class CommerceProducts(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateProductBody]) -> T.Product:
        """Create a product. A new product waits for a review, and can be bought once it is approved. For a key of
        the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`.

        `POST /v1/commerce/products`
        """
        request = ApiRequest("POST", "/v1/commerce/products", body=body, is_keyed=True)
        result: T.Product = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        status: Sequence[Literal["active", "inactive"]] | None = None,
        approval_status: Sequence[Literal["review", "denied", "denied_changed", "approved"]] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Product]:
        """List products. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only products with one of these statuses.
            approval_status: Shows only products with one of these results of their review.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/products`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/products",
            query={"status": status, "approval_status": approval_status, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, product_id: str, *, options: RequestOptions | None = None) -> T.Product:
        """Retrieve a product. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/products/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/products/{segment(product_id)}")
        result: T.Product = self._transport.call(request, options)
        return result

    def update(
        self,
        product_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.EditProductBody],
    ) -> T.Product:
        """Edit a product. An approved product changes at once and stays approved. Any other product becomes inactive
        and waits for a review. For a key of the business, or for a session of its owner.

        `PATCH /v1/commerce/products/{id}`
        """
        request = ApiRequest("PATCH", f"/v1/commerce/products/{segment(product_id)}", body=body or None)
        result: T.Product = self._transport.call(request, options)
        return result

    def add_plan(
        self,
        product_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.PlanBody],
    ) -> T.Product:
        """Add a plan to a product. The terms of a plan never change: for another price, add another plan. For a key
        of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`.

        `POST /v1/commerce/products/{id}/plans`
        """
        request = ApiRequest("POST", f"/v1/commerce/products/{segment(product_id)}/plans", body=body, is_keyed=True)
        result: T.Product = self._transport.call(request, options)
        return result

    def archive_plan(self, product_id: str, plan_id: str, *, options: RequestOptions | None = None) -> T.Product:
        """Archive a plan. The plan can no longer be bought. Subscriptions that use it continue. For a key of the
        business, or for a session of its owner.

        `DELETE /v1/commerce/products/{id}/plans/{plan_id}`
        """
        request = ApiRequest("DELETE", f"/v1/commerce/products/{segment(product_id)}/plans/{segment(plan_id)}")
        result: T.Product = self._transport.call(request, options)
        return result

    def add_image(
        self,
        product_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ImageBody],
    ) -> T.Product:
        """Add an image to a product. Has the same effect on the review as an edit. Returns the product. For a key of
        the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        `POST /v1/commerce/products/{id}/images`
        """
        request = ApiRequest("POST", f"/v1/commerce/products/{segment(product_id)}/images", body=body, is_keyed=True)
        result: T.Product = self._transport.call(request, options)
        return result

    def add_attachment(
        self,
        product_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.AttachmentBody],
    ) -> T.Product:
        """Add an attachment to a product. Has the same effect on the review as an edit. Returns the product. For a
        key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        `POST /v1/commerce/products/{id}/attachments`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/products/{segment(product_id)}/attachments",
            body=body,
            is_keyed=True,
        )
        result: T.Product = self._transport.call(request, options)
        return result

    def remove_image(self, product_id: str, image_id: str, *, options: RequestOptions | None = None) -> T.Product:
        """Remove an image from a product. A removal restarts no review. Returns the product. For a key of the
        business, or for a session of its owner.

        `DELETE /v1/commerce/products/{id}/images/{image_id}`
        """
        request = ApiRequest("DELETE", f"/v1/commerce/products/{segment(product_id)}/images/{segment(image_id)}")
        result: T.Product = self._transport.call(request, options)
        return result

    def remove_attachment(
        self,
        product_id: str,
        attachment_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> T.Product:
        """Remove an attachment from a product. A removal restarts no review. Returns the product. For a key of the
        business, or for a session of its owner.

        `DELETE /v1/commerce/products/{id}/attachments/{attachment_id}`
        """
        request = ApiRequest(
            "DELETE",
            f"/v1/commerce/products/{segment(product_id)}/attachments/{segment(attachment_id)}",
        )
        result: T.Product = self._transport.call(request, options)
        return result

    def approve(self, product_id: str, *, options: RequestOptions | None = None) -> T.Product:
        """Approve a product. Buyers can buy the product if its seller has set it active. For a session of a reviewer
        of the platform. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `product_not_in_review`.

        `POST /v1/commerce/products/{id}/approve`
        """
        request = ApiRequest("POST", f"/v1/commerce/products/{segment(product_id)}/approve", is_keyed=True)
        result: T.Product = self._transport.call(request, options)
        return result

    def deny(
        self,
        product_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.DenyProductBody],
    ) -> T.Product:
        """Deny a product. Buyers cannot buy the product. A change of it asks for another review. For a session of a
        reviewer of the platform. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `product_not_in_review`.

        `POST /v1/commerce/products/{id}/deny`
        """
        request = ApiRequest("POST", f"/v1/commerce/products/{segment(product_id)}/deny", body=body, is_keyed=True)
        result: T.Product = self._transport.call(request, options)
        return result

    def retrieve_as_buyer(self, product_id: str, *, options: RequestOptions | None = None) -> T.BuyerProduct:
        """Retrieve a product as a buyer. Shows the product as buyers see it, and says whether it can be bought. For
        a key of the business, a session, or the token of the cart.

        `GET /v1/commerce/buyer/products/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/buyer/products/{segment(product_id)}")
        result: T.BuyerProduct = self._transport.call(request, options)
        return result


class CommerceProductReviews(Resource):
    def list(
        self,
        *,
        approval_status: Literal["review"] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Product]:
        """List the products to review. Shows the products of all businesses and modes that wait for a review, and
        approved ones that changed since theirs. For a session of a reviewer of the platform. Returns one page of
        the list, newest items first. A page number beyond the end returns the last page.

        Query:
            approval_status: Always `review`, with the same result as without it: the products in review, and
                approved ones that changed since theirs.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/product-reviews`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/product-reviews",
            query={"approval_status": approval_status, "page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)


class CommerceDiscounts(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateDiscountBody]) -> T.Discount:
        """Create a discount. Its terms never change. Each active discount of the business and the mode has another
        code. For a key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `discount_code_taken`.

        `POST /v1/commerce/discounts`
        """
        request = ApiRequest("POST", "/v1/commerce/discounts", body=body, is_keyed=True)
        result: T.Discount = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Discount]:
        """List discounts. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/discounts`
        """
        request = ApiRequest("GET", "/v1/commerce/discounts", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def delete(self, discount_id: str, *, options: RequestOptions | None = None) -> T.Discount:
        """Delete a discount. New orders can no longer use it. Subscriptions and installments that started with it
        keep it. For a key of the business, or for a session of its owner.

        `DELETE /v1/commerce/discounts/{id}`
        """
        request = ApiRequest("DELETE", f"/v1/commerce/discounts/{segment(discount_id)}")
        result: T.Discount = self._transport.call(request, options)
        return result


class CommerceOffers(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateOfferBody]) -> T.Offer:
        """Create an offer. Offers a product to one buyer at a price of its own. For a key of the business, or for a
        session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`.

        `POST /v1/commerce/offers`
        """
        request = ApiRequest("POST", "/v1/commerce/offers", body=body, is_keyed=True)
        result: T.Offer = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        status: Sequence[Literal["draft", "sent", "accepted", "cancelled", "expired"]] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Offer]:
        """List offers. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only offers with one of these statuses.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/offers`
        """
        request = ApiRequest("GET", "/v1/commerce/offers", query={"status": status, "page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, offer_id: str, *, options: RequestOptions | None = None) -> T.Offer:
        """Retrieve an offer. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/offers/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/offers/{segment(offer_id)}")
        result: T.Offer = self._transport.call(request, options)
        return result

    def send(self, offer_id: str, *, options: RequestOptions | None = None) -> T.Offer:
        """Send an offer. Mails the offer to its buyer. An offer that was sent before stays as it is. For a key of
        the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `offer_not_sendable`, `offer_already_accepted`, `offer_expired`.

        `POST /v1/commerce/offers/{id}/send`
        """
        request = ApiRequest("POST", f"/v1/commerce/offers/{segment(offer_id)}/send", is_keyed=True)
        result: T.Offer = self._transport.call(request, options)
        return result

    def resend(self, offer_id: str, *, options: RequestOptions | None = None) -> T.Offer:
        """Resend an offer. Mails the offer to its buyer again, at most once in 60 seconds and ten times. For a key
        of the business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `offer_not_sendable`, `offer_not_sent`, `offer_already_accepted`, `offer_expired`.

        `POST /v1/commerce/offers/{id}/resend`
        """
        request = ApiRequest("POST", f"/v1/commerce/offers/{segment(offer_id)}/resend", is_keyed=True)
        result: T.Offer = self._transport.call(request, options)
        return result

    def cancel(self, offer_id: str, *, options: RequestOptions | None = None) -> T.Offer:
        """Cancel an offer. The buyer can no longer accept it. For a key of the business, or for a session of its
        owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `offer_already_accepted`, `offer_expired`.

        `POST /v1/commerce/offers/{id}/cancel`
        """
        request = ApiRequest("POST", f"/v1/commerce/offers/{segment(offer_id)}/cancel", is_keyed=True)
        result: T.Offer = self._transport.call(request, options)
        return result


class CommerceCarts(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.CreateCartBody]) -> T.CartWithSecret:
        """Create a cart. The response has the token of the cart, with which a buyer changes the cart and checks it
        out. For every credential but a cart token. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `currency_mismatch`, `not_saleable`, `plan_not_available`, `offer_not_sent`,
        `offer_already_accepted`, `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`, `discount_invalid`.

        `POST /v1/commerce/carts`
        """
        request = ApiRequest("POST", "/v1/commerce/carts", body=body or None, is_keyed=True)
        result: T.CartWithSecret = self._transport.call(request, options)
        return result

    def retrieve(self, cart_id: str, *, options: RequestOptions | None = None) -> T.Cart:
        """Retrieve a cart. For a key of the business, a session, or the token of the cart.

        `GET /v1/commerce/carts/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/carts/{segment(cart_id)}")
        result: T.Cart = self._transport.call(request, options)
        return result

    def update(self, cart_id: str, *, options: RequestOptions | None = None, **body: Unpack[T.CartBody]) -> T.Cart:
        """Edit a cart. Changes the fields that the body contains, and keeps the others. For a key of the business, a
        session, or the token of the cart.

        Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`,
        `offer_not_sent`, `offer_already_accepted`, `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`,
        `discount_invalid`, `cart_not_open`.

        `PATCH /v1/commerce/carts/{id}`
        """
        request = ApiRequest("PATCH", f"/v1/commerce/carts/{segment(cart_id)}", body=body or None)
        result: T.Cart = self._transport.call(request, options)
        return result

    def add_line(self, cart_id: str, *, options: RequestOptions | None = None, **body: Unpack[T.AddLineBody]) -> T.Cart:
        """Add a line to a cart. The line keeps the current price of the plan, and the first line decides the
        currency of the cart. Returns the cart. For a key of the business, a session, or the token of the cart.
        Can be repeated safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`,
        `cart_not_open`, `cart_locked`.

        `POST /v1/commerce/carts/{id}/lines`
        """
        request = ApiRequest("POST", f"/v1/commerce/carts/{segment(cart_id)}/lines", body=body, is_keyed=True)
        result: T.Cart = self._transport.call(request, options)
        return result

    def change_line(
        self,
        cart_id: str,
        line_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ChangeLineBody],
    ) -> T.Cart:
        """Change a line of a cart. Changes the plan or the quantity. Returns the cart. For a key of the business, a
        session, or the token of the cart.

        Problems: `amount_not_supported`, `currency_mismatch`, `not_saleable`, `plan_not_available`,
        `cart_not_open`, `cart_locked`.

        `PATCH /v1/commerce/carts/{id}/lines/{line_id}`
        """
        request = ApiRequest(
            "PATCH",
            f"/v1/commerce/carts/{segment(cart_id)}/lines/{segment(line_id)}",
            body=body or None,
        )
        result: T.Cart = self._transport.call(request, options)
        return result

    def remove_line(self, cart_id: str, line_id: str, *, options: RequestOptions | None = None) -> T.Cart:
        """Remove a line from a cart. Returns the cart. For a key of the business, a session, or the token of the
        cart.

        Problems: `cart_not_open`, `cart_locked`.

        `DELETE /v1/commerce/carts/{id}/lines/{line_id}`
        """
        request = ApiRequest("DELETE", f"/v1/commerce/carts/{segment(cart_id)}/lines/{segment(line_id)}")
        result: T.Cart = self._transport.call(request, options)
        return result

    def check_out(
        self,
        cart_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CheckOutBody],
    ) -> T.CheckedOutOrder:
        """Check out a cart. Charges the payment method, completes the order with its invoice, and starts its
        subscriptions and installments. After a refused payment the cart is open again. The order is `pending`
        while the result of the payment is not known. For a key of the business, a session, or the token of the
        cart. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `payment_failed`, `amount_not_supported`, `product_unavailable`, `offer_already_accepted`,
        `offer_expired`, `offer_cancelled`, `offer_buyer_mismatch`, `discount_invalid`, `cart_not_open`,
        `cart_empty`, `buyer_required`.

        `POST /v1/commerce/carts/{id}/checkout`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/carts/{segment(cart_id)}/checkout",
            body=body or None,
            is_keyed=True,
        )
        result: T.CheckedOutOrder = self._transport.call(request, options)
        return result


class CommerceOrders(Resource):
    def list(
        self,
        *,
        product_id: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Order]:
        """List completed orders. An order in another status can be retrieved by its id. For a key of the business,
        or for a session of its owner. Returns one page of the list, newest items first. A page number beyond the
        end returns the last page.

        Query:
            product_id: Shows only orders with this product in a line.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/orders`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/orders",
            query={
                "product_id": product_id,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, order_id: str, *, options: RequestOptions | None = None) -> T.Order:
        """Retrieve an order. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/orders/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/orders/{segment(order_id)}")
        result: T.Order = self._transport.call(request, options)
        return result

    def cancel_installments(self, order_id: str, *, options: RequestOptions | None = None) -> T.Order:
        """Cancel the installments of an order. Ends them at once: no later part is charged. What is paid stays paid.
        A charge without a result stands: when it succeeds, its part is paid. For a key of the business, or for a
        session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `installments_ended`.

        `POST /v1/commerce/orders/{id}/installments/cancellations`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/orders/{segment(order_id)}/installments/cancellations",
            is_keyed=True,
        )
        result: T.Order = self._transport.call(request, options)
        return result

    def change_payment_method_of_installments(
        self,
        order_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.MethodBody],
    ) -> T.Order:
        """Change the payment method of the installments of an order. Later parts are charged to this method, and a
        part that is past due at once. For a key of the business, or for a session of its owner.

        Problems: `payment_failed`, `payment_method_invalid`, `installments_ended`.

        `PUT /v1/commerce/orders/{id}/installments/payment-method`
        """
        request = ApiRequest("PUT", f"/v1/commerce/orders/{segment(order_id)}/installments/payment-method", body=body)
        result: T.Order = self._transport.call(request, options)
        return result


class CommercePayments(Resource):
    def list(
        self,
        *,
        cash_flow_from: str | None = None,
        cash_flow_to: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Payment]:
        """List payments. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            cash_flow_from: Shows only payments whose funds were released at this time or later; a date is its
                first moment in UTC.
            cash_flow_to: Shows only payments whose funds were released at this time or earlier; a date includes
                its whole day in UTC.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 100. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/payments`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/payments",
            query={
                "cash_flow_from": cash_flow_from,
                "cash_flow_to": cash_flow_to,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, payment_id: str, *, options: RequestOptions | None = None) -> T.Payment:
        """Retrieve a payment. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/payments/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/payments/{segment(payment_id)}")
        result: T.Payment = self._transport.call(request, options)
        return result


class CommerceInvoices(Resource):
    def list(
        self,
        *,
        status: Sequence[Literal["open", "paid", "void", "uncollectible"]] | None = None,
        kind: Sequence[Literal["sale", "renewal"]] | None = None,
        order_id: str | None = None,
        subscription_id: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Invoice]:
        """List invoices. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only invoices with one of these statuses.
            kind: Shows only invoices of these kinds.
            order_id: Shows only invoices of this order.
            subscription_id: Shows only invoices of this subscription.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/invoices`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/invoices",
            query={
                "status": status,
                "kind": kind,
                "order_id": order_id,
                "subscription_id": subscription_id,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, invoice_id: str, *, options: RequestOptions | None = None) -> T.Invoice:
        """Retrieve an invoice. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/invoices/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/invoices/{segment(invoice_id)}")
        result: T.Invoice = self._transport.call(request, options)
        return result


class CommerceRefunds(Resource):
    def create(
        self,
        payment_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.RefundBody],
    ) -> T.Refund:
        """Refund a payment. Pays the buyer back, and takes the amount from the balance of the seller. The refund is
        `pending` while the result of the gateway is not known. For a key of the business, or for a session of its
        owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `payment_not_refundable`, `payment_already_refunded`, `refund_amount_exceeds_refundable`,
        `refund_declined`, `payment_disputed`, `insufficient_seller_balance`, `currency_mismatch`.

        `POST /v1/commerce/payments/{id}/refunds`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/payments/{segment(payment_id)}/refunds",
            body=body or None,
            is_keyed=True,
        )
        result: T.Refund = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        status: Sequence[Literal["pending", "succeeded", "failed"]] | None = None,
        payment_id: str | None = None,
        order_id: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Refund]:
        """List refunds. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only refunds with one of these statuses.
            payment_id: Shows only refunds of this payment.
            order_id: Shows only refunds of the payments of this order.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/refunds`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/refunds",
            query={
                "status": status,
                "payment_id": payment_id,
                "order_id": order_id,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, refund_id: str, *, options: RequestOptions | None = None) -> T.Refund:
        """Retrieve a refund. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/refunds/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/refunds/{segment(refund_id)}")
        result: T.Refund = self._transport.call(request, options)
        return result


class CommerceDisputes(Resource):
    def list(
        self,
        *,
        status: Sequence[Literal["open", "won", "lost"]] | None = None,
        payment_id: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Dispute]:
        """List disputes. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only disputes with one of these statuses.
            payment_id: Shows only disputes of this payment.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/disputes`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/disputes",
            query={
                "status": status,
                "payment_id": payment_id,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, dispute_id: str, *, options: RequestOptions | None = None) -> T.Dispute:
        """Retrieve a dispute. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/disputes/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/disputes/{segment(dispute_id)}")
        result: T.Dispute = self._transport.call(request, options)
        return result

    def close(
        self,
        dispute_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.DisputeOutcomeBody],
    ) -> T.Dispute:
        """Close a dispute. Decides a dispute that the simulated gateway has opened, as the bank of the buyer would.
        Only in test mode. The same outcome again changes nothing. For a key of the business, or for a session of
        its owner.

        Problems: `dispute_closed`.

        `PUT /v1/commerce/disputes/{id}/outcome`
        """
        request = ApiRequest("PUT", f"/v1/commerce/disputes/{segment(dispute_id)}/outcome", body=body)
        result: T.Dispute = self._transport.call(request, options)
        return result


class CommerceSubscriptions(Resource):
    def list(
        self,
        *,
        status: Sequence[Literal["active", "past_due", "paused", "cancelled"]] | None = None,
        product_id: str | None = None,
        plan_id: str | None = None,
        cancelling: Literal["true", "false"] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        buyer_email: str | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Subscription]:
        """List subscriptions. For a key of the business, or for a session of its owner. Returns one page of the
        list, newest items first. A page number beyond the end returns the last page.

        Query:
            status: Shows only subscriptions with one of these statuses.
            product_id: Shows only subscriptions to this product.
            plan_id: Shows only subscriptions that are billed by this plan now.
            cancelling: Shows only subscriptions whose end is scheduled (`true`), or only the others (`false`).
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.
            created_from: Shows only what was created at this time or later; a date is its first moment in UTC.
            created_to: Shows only what was created at this time or earlier; a date includes its whole day in UTC.
            buyer_email: Shows only what belongs to the buyer with this e-mail address.

        `GET /v1/commerce/subscriptions`
        """
        request = ApiRequest(
            "GET",
            "/v1/commerce/subscriptions",
            query={
                "status": status,
                "product_id": product_id,
                "plan_id": plan_id,
                "cancelling": cancelling,
                "page": page,
                "per_page": per_page,
                "created_from": created_from,
                "created_to": created_to,
                "buyer_email": buyer_email,
            },
        )
        return self._transport.list_pages(request, options)

    def retrieve(self, subscription_id: str, *, options: RequestOptions | None = None) -> T.Subscription:
        """Retrieve a subscription. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/subscriptions/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/subscriptions/{segment(subscription_id)}")
        result: T.Subscription = self._transport.call(request, options)
        return result

    def pause(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.PauseBody],
    ) -> T.Subscription:
        """Pause a subscription. Nothing is charged until it is resumed. For a key of the business, or for a session
        of its owner. Can be repeated safely with the same `Idempotency-Key`.

        Problems: `subscription_not_pausable`.

        `POST /v1/commerce/subscriptions/{id}/pause`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/subscriptions/{segment(subscription_id)}/pause",
            body=body or None,
            is_keyed=True,
        )
        result: T.Subscription = self._transport.call(request, options)
        return result

    def resume(self, subscription_id: str, *, options: RequestOptions | None = None) -> T.Subscription:
        """Resume a subscription. Within the paid period it continues without a charge. After it, a charge starts a
        new period. For a key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `payment_failed`, `subscription_cancelling`, `subscription_not_paused`.

        `POST /v1/commerce/subscriptions/{id}/resume`
        """
        request = ApiRequest("POST", f"/v1/commerce/subscriptions/{segment(subscription_id)}/resume", is_keyed=True)
        result: T.Subscription = self._transport.call(request, options)
        return result

    def cancel(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CancelBody],
    ) -> T.Subscription:
        """Cancel a subscription. It ends after its paid period, or at once. A subscription that is past due ends at
        once. For a key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `subscription_already_cancelled`.

        `POST /v1/commerce/subscriptions/{id}/cancel`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/subscriptions/{segment(subscription_id)}/cancel",
            body=body or None,
            is_keyed=True,
        )
        result: T.Subscription = self._transport.call(request, options)
        return result

    def change_payment_method(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.MethodBody],
    ) -> T.Subscription:
        """Change the payment method of a subscription. A subscription that is past due is charged again at once. For
        a key of the business, or for a session of its owner.

        Problems: `payment_failed`, `payment_method_invalid`, `subscription_already_cancelled`.

        `PUT /v1/commerce/subscriptions/{id}/payment-method`
        """
        request = ApiRequest("PUT", f"/v1/commerce/subscriptions/{segment(subscription_id)}/payment-method", body=body)
        result: T.Subscription = self._transport.call(request, options)
        return result

    def revoke_cancellation(self, subscription_id: str, *, options: RequestOptions | None = None) -> T.Subscription:
        """Revoke the cancellation of a subscription. The subscription continues. Only a scheduled end can be
        revoked. For a key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `no_scheduled_cancellation`.

        `POST /v1/commerce/subscriptions/{id}/uncancel`
        """
        request = ApiRequest("POST", f"/v1/commerce/subscriptions/{segment(subscription_id)}/uncancel", is_keyed=True)
        result: T.Subscription = self._transport.call(request, options)
        return result

    def list_changes(
        self,
        subscription_id: str,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.SubscriptionChange]:
        """List the changes of a subscription. Shows the changes of plan and price, with what became of each. For a
        key of the business, or for a session of its owner. Returns one page of the list, newest items first. A
        page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/subscriptions/{id}/changes`
        """
        request = ApiRequest(
            "GET",
            f"/v1/commerce/subscriptions/{segment(subscription_id)}/changes",
            query={"page": page, "per_page": per_page},
        )
        return self._transport.list_pages(request, options)

    def change_plan(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ChangePlanBody],
    ) -> T.Subscription:
        """Change the plan of a subscription. The next renewal bills the new plan, and nothing is charged before. A
        pending change is replaced. For a key of the business, or for a session of its owner. Can be repeated
        safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`, `plan_not_available`, `no_change`, `subscription_not_active`,
        `subscription_cancelling`.

        `POST /v1/commerce/subscriptions/{id}/plan`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/subscriptions/{segment(subscription_id)}/plan",
            body=body,
            is_keyed=True,
        )
        result: T.Subscription = self._transport.call(request, options)
        return result

    def change_price(
        self,
        subscription_id: str,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.ChangePriceBody],
    ) -> T.Subscription:
        """Change the price of a subscription. The next renewal bills the new price, and nothing is charged before. A
        pending change is replaced. For a key of the business, or for a session of its owner. Can be repeated
        safely with the same `Idempotency-Key`.

        Problems: `amount_not_supported`, `currency_mismatch`, `no_change`, `subscription_not_active`,
        `subscription_cancelling`.

        `POST /v1/commerce/subscriptions/{id}/price`
        """
        request = ApiRequest(
            "POST",
            f"/v1/commerce/subscriptions/{segment(subscription_id)}/price",
            body=body,
            is_keyed=True,
        )
        result: T.Subscription = self._transport.call(request, options)
        return result

    def withdraw_pending_change(self, subscription_id: str, *, options: RequestOptions | None = None) -> T.Subscription:
        """Withdraw the pending change of a subscription. The subscription keeps its current plan and price. For a
        key of the business, or for a session of its owner.

        Problems: `no_pending_change`.

        `DELETE /v1/commerce/subscriptions/{id}/pending-change`
        """
        request = ApiRequest("DELETE", f"/v1/commerce/subscriptions/{segment(subscription_id)}/pending-change")
        result: T.Subscription = self._transport.call(request, options)
        return result


class CommerceBuyers(Resource):
    def list(
        self,
        *,
        email: str | None = None,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Buyer]:
        """List buyers. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            email: Shows only the buyer with this e-mail address.
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/buyers`
        """
        request = ApiRequest("GET", "/v1/commerce/buyers", query={"email": email, "page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, buyer_id: str, *, options: RequestOptions | None = None) -> T.Buyer:
        """Retrieve a buyer. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/buyers/{id}`
        """
        request = ApiRequest("GET", f"/v1/commerce/buyers/{segment(buyer_id)}")
        result: T.Buyer = self._transport.call(request, options)
        return result

    def retrieve_personal_data(self, buyer_id: str, *, options: RequestOptions | None = None) -> T.PersonalData:
        """Retrieve the personal data of a buyer. Shows what the business has stored about the buyer in this mode.
        For a key of the business, or for a session of its owner.

        `GET /v1/commerce/buyers/{id}/personal-data`
        """
        request = ApiRequest("GET", f"/v1/commerce/buyers/{segment(buyer_id)}/personal-data")
        result: T.PersonalData = self._transport.call(request, options)
        return result

    def erase_personal_data(
        self,
        buyer_id: str,
        *,
        end_charges: Literal["true", "false"] | None = None,
        options: RequestOptions | None = None,
    ) -> T.Buyer:
        """Erase the personal data of a buyer. Erases the address and names of the buyer in this business and mode;
        the open carts of the buyer expire, and the open offers are cancelled. While subscriptions, installments
        or unsettled payments may still charge the buyer, it is refused, unless `end_charges=true` ends them
        first. A payment that the gateway cannot cancel is refused then too. For a key of the business, or for a
        session of its owner.

        Query:
            end_charges: Whether the subscriptions, installments and unsettled payments of the buyer end first
                (`true`); they refuse the erasure otherwise.

        Problems: `buyer_has_active_charges`.

        `DELETE /v1/commerce/buyers/{id}/personal-data`
        """
        request = ApiRequest(
            "DELETE",
            f"/v1/commerce/buyers/{segment(buyer_id)}/personal-data",
            query={"end_charges": end_charges},
        )
        result: T.Buyer = self._transport.call(request, options)
        return result


class CommerceBalance(Resource):
    def retrieve(self, *, options: RequestOptions | None = None) -> T.Balance:
        """Retrieve the balance. The balance of a currency is the net amount of its sales less refunds, payouts and
        the disputes that are open or lost, which also take the fees of the gateway. For a key of the business, or
        for a session of its owner.

        `GET /v1/commerce/balance`
        """
        request = ApiRequest("GET", "/v1/commerce/balance")
        result: T.Balance = self._transport.call(request, options)
        return result


class CommercePayouts(Resource):
    def create(self, *, options: RequestOptions | None = None, **body: Unpack[T.PayoutBody]) -> T.Payout:
        """Pay out. Takes the amount from the balance of the seller, which does not have the money of an open or lost
        dispute. For a key of the business, or for a session of its owner. Can be repeated safely with the same
        `Idempotency-Key`.

        Problems: `insufficient_seller_balance`.

        `POST /v1/commerce/payouts`
        """
        request = ApiRequest("POST", "/v1/commerce/payouts", body=body, is_keyed=True)
        result: T.Payout = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.Payout]:
        """List payouts. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/commerce/payouts`
        """
        request = ApiRequest("GET", "/v1/commerce/payouts", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)


class CommerceTestClock(Resource):
    def retrieve(self, *, options: RequestOptions | None = None) -> T.TestClock:
        """Retrieve the test clock. Only in test mode. For a key of the business, or for a session of its owner.

        `GET /v1/commerce/test-clock`
        """
        request = ApiRequest("GET", "/v1/commerce/test-clock")
        result: T.TestClock = self._transport.call(request, options)
        return result

    def set(self, *, options: RequestOptions | None = None, **body: Unpack[T.SetTestClockBody]) -> T.TestClock:
        """Set the test clock. Runs everything that falls due until then, in order, and responds afterwards. After 10
        seconds it responds 202 with the status `advancing`, and the rest runs on: retrieve the clock until it is
        `ready`. Only in test mode. For a key of the business, or for a session of its owner.

        Problems: `test_clock_advancing`, `clock_moves_forward_only`, `test_clock_too_far`.

        `PUT /v1/commerce/test-clock`
        """
        request = ApiRequest("PUT", "/v1/commerce/test-clock", body=body)
        result: T.TestClock = self._transport.call(request, options)
        return result


class Commerce(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.products = CommerceProducts(transport)
        self.product_reviews = CommerceProductReviews(transport)
        self.discounts = CommerceDiscounts(transport)
        self.offers = CommerceOffers(transport)
        self.carts = CommerceCarts(transport)
        self.orders = CommerceOrders(transport)
        self.payments = CommercePayments(transport)
        self.invoices = CommerceInvoices(transport)
        self.refunds = CommerceRefunds(transport)
        self.disputes = CommerceDisputes(transport)
        self.subscriptions = CommerceSubscriptions(transport)
        self.buyers = CommerceBuyers(transport)
        self.balance = CommerceBalance(transport)
        self.payouts = CommercePayouts(transport)
        self.test_clock = CommerceTestClock(transport)


class AuditEvents(Resource):
    def list(
        self,
        *,
        resource: str | None = None,
        actor: str | None = None,
        type: Sequence[T.AuditType] | None = None,
        correlation_id: str | None = None,
        recorded_from: str | None = None,
        recorded_to: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.AuditEvent]:
        """List audit events. Shows who changed what, and when. For a key of the business, or for a session of its
        owner. Returns one slice of the list; `next_cursor` leads to the next slice.

        Query:
            resource: Only events about the resource with this id.
            actor: Only events of the actor with this id: an API key, a user, a cart or a part of the service.
            type: Only events of these types.
            correlation_id: Only events that the request with this id caused.
            recorded_from: Only events that were recorded at this time or later.
            recorded_to: Only events that were recorded at this time or earlier; a date means the end of that day
                (UTC).
            order: Whether the list starts with the oldest event (`asc`) or with the newest one (`desc`, the
                default).
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        `GET /v1/audit/events`
        """
        request = ApiRequest(
            "GET",
            "/v1/audit/events",
            query={
                "resource": resource,
                "actor": actor,
                "type": type,
                "correlation_id": correlation_id,
                "recorded_from": recorded_from,
                "recorded_to": recorded_to,
                "order": order,
                "limit": limit,
                "after": after,
            },
        )
        return self._transport.list_slices(request, options)

    def retrieve(self, event_id: str, *, options: RequestOptions | None = None) -> T.AuditEventDetail:
        """Retrieve an audit event. Shows its data, and its resource before and after it. For a key of the business,
        or for a session of its owner.

        `GET /v1/audit/events/{id}`
        """
        request = ApiRequest("GET", f"/v1/audit/events/{segment(event_id)}")
        result: T.AuditEventDetail = self._transport.call(request, options)
        return result


class AuditResources(Resource):
    def retrieve_as_of(
        self,
        resource_id: str,
        *,
        as_of: str | None = None,
        options: RequestOptions | None = None,
    ) -> T.AuditedResource:
        """Retrieve a resource as of a time. Folds the events of the resource until that time. For a key of the
        business, or for a session of its owner.

        Query:
            as_of: A date, a time or the position of an audit event: the resource is returned as it was then. By
                default, it is returned as it is now.

        `GET /v1/audit/resources/{id}`
        """
        request = ApiRequest("GET", f"/v1/audit/resources/{segment(resource_id)}", query={"as_of": as_of})
        result: T.AuditedResource = self._transport.call(request, options)
        return result

    def list_history(
        self,
        resource_id: str,
        *,
        limit: int | None = None,
        after: str | None = None,
        options: RequestOptions | None = None,
    ) -> CursorList[T.AuditHistoryItem]:
        """List the history of a resource. Each item is an event with the fields that it changed. For a key of the
        business, or for a session of its owner. Returns one slice of the list; `next_cursor` leads to the next
        slice.

        Query:
            limit: The number of items, at most 100. A larger value is clamped.
            after: The `next_cursor` of the slice before; the first slice needs none.

        `GET /v1/audit/resources/{id}/history`
        """
        request = ApiRequest(
            "GET",
            f"/v1/audit/resources/{segment(resource_id)}/history",
            query={"limit": limit, "after": after},
        )
        return self._transport.list_slices(request, options)


class AuditCorrelations(Resource):
    def retrieve(self, correlation_id: str, *, options: RequestOptions | None = None) -> T.AuditCorrelation:
        """Retrieve what a request caused. Takes the `X-Request-Id` of a response. Shows each event with the event
        that caused it. For a key of the business, or for a session of its owner.

        `GET /v1/audit/correlations/{id}`
        """
        request = ApiRequest("GET", f"/v1/audit/correlations/{segment(correlation_id)}")
        result: T.AuditCorrelation = self._transport.call(request, options)
        return result


class AuditChain(Resource):
    def retrieve(self, *, options: RequestOptions | None = None) -> T.AuditChain:
        """Retrieve the chain. Shows the head of the hash chain of the business, the newest 100 signed checkpoints,
        and the public key that verifies them. The chain includes the events of both modes. For a key of the
        business, or for a session of its owner.

        `GET /v1/audit/chain`
        """
        request = ApiRequest("GET", "/v1/audit/chain")
        result: T.AuditChain = self._transport.call(request, options)
        return result


class AuditExports(Resource):
    def create(
        self,
        *,
        options: RequestOptions | None = None,
        **body: Unpack[T.CreateAuditExportBody],
    ) -> T.AuditExport:
        """Create an export. Its file also holds the hashes of the events that the filter leaves out, so that the
        manifest proves that the file is complete and in order. Personal fields stay encrypted. A repeated request
        for the same events returns the export that exists while nothing else is recorded. For a key of the
        business, or for a session of its owner. Can be repeated safely with the same `Idempotency-Key`.

        `POST /v1/audit/exports`
        """
        request = ApiRequest("POST", "/v1/audit/exports", body=body or None, is_keyed=True)
        result: T.AuditExport = self._transport.call(request, options)
        return result

    def list(
        self,
        *,
        page: int | None = None,
        per_page: int | None = None,
        options: RequestOptions | None = None,
    ) -> PageList[T.AuditExport]:
        """List exports. For a key of the business, or for a session of its owner. Returns one page of the list,
        newest items first. A page number beyond the end returns the last page.

        Query:
            page: The number of the page, from 1. A number after the last page returns the last page.
            per_page: The number of items, at most 25. A larger value is clamped.

        `GET /v1/audit/exports`
        """
        request = ApiRequest("GET", "/v1/audit/exports", query={"page": page, "per_page": per_page})
        return self._transport.list_pages(request, options)

    def retrieve(self, export_id: str, *, options: RequestOptions | None = None) -> T.AuditExport:
        """Retrieve an export. For a key of the business, or for a session of its owner.

        `GET /v1/audit/exports/{id}`
        """
        request = ApiRequest("GET", f"/v1/audit/exports/{segment(export_id)}")
        result: T.AuditExport = self._transport.call(request, options)
        return result

    def delete(self, export_id: str, *, options: RequestOptions | None = None) -> T.AuditExport:
        """Delete an export. Deletes its file too, or stops an export that runs. Returns the export as it was before.
        For a key of the business, or for a session of its owner.

        `DELETE /v1/audit/exports/{id}`
        """
        request = ApiRequest("DELETE", f"/v1/audit/exports/{segment(export_id)}")
        result: T.AuditExport = self._transport.call(request, options)
        return result


class Audit(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.events = AuditEvents(transport)
        self.resources = AuditResources(transport)
        self.correlations = AuditCorrelations(transport)
        self.chain = AuditChain(transport)
        self.exports = AuditExports(transport)


class Areas(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.identity = Identity(transport)
        self.webhooks = Webhooks(transport)
        self.community = Community(transport)
        self.commerce = Commerce(transport)
        self.audit = Audit(transport)
