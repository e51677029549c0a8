# Generated from the OpenAPI document by `npm run client`. Do not edit.
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class AddLibraryResourceBody(TypedDict):
    title: str
    """The title that members see."""
    file_url: str
    """The https address of the file, which the service does not store itself."""
    description: NotRequired[Optional[str]]
    """The text about the file; null for none."""
    mime_type: NotRequired[Optional[str]]
    """The media type of the file; null when it is unknown."""
    size_bytes: NotRequired[Optional[int]]
    """The size of the file, in bytes; null when it is unknown."""
    required_level: NotRequired[int]
    """The lowest level of a member who may download it; 0, also for a new resource without it, admits all members."""


class AddLineBody(TypedDict):
    product_id: str
    """The product to add."""
    plan_id: NotRequired[str]
    """The plan by which the product is bought. A new line without it has the first active plan of the product; any
    other line keeps its plan.
    """
    quantity: NotRequired[int]
    """How many to buy. A new line without it has 1; any other line keeps its quantity."""


class AddOnboardingTaskBody(TypedDict):
    key: str
    """The key that names the task in requests, unique among the current tasks of the community; not `progress`."""
    title: str
    """The title that members see."""
    description: NotRequired[Optional[str]]
    """The text that explains the task; null for none."""
    position: NotRequired[int]
    """The place of the task in a progress, by default 0; the lowest comes first."""
    cp_reward: NotRequired[int]
    """The points that a member receives once for completing it; 0, the default, for none."""
    required: NotRequired[bool]
    """Whether the community expects each member to complete the task, by default true; a progress counts it either
    way.
    """


class ApiKey(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["api_key"]
    """The kind of this object."""
    name: str
    """The name by which people recognize the key."""
    mode: Literal["live", "test"]
    """Whether the key works with live data or with test data."""
    access: Literal["full", "read_only"]
    """Whether the key may read and write (`full`) or only read (`read_only`)."""
    business: BusinessReference
    """The business that this object belongs to."""
    user: UserReference
    """The user as whom the key acts."""
    prefix: str
    """The first characters of the key, which show its access and its mode."""
    last4: str
    """The last four characters of the key, which people compare."""
    created_at: str
    """The time at which this object was created."""
    last_used_at: Optional[str]
    """The time at which the key was last used, to the minute, or null before that."""
    expires_at: Optional[str]
    """The time at which the key stops working; null means that it does not expire. A rotation can set an earlier
    time.
    """
    revoked_at: Optional[str]
    """The time at which the key was revoked, or null before that."""


class ApiKeyCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["api_key.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ApiKey
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ApiKeyRevokedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["api_key.revoked"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ApiKey
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ApiKeyRotatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["api_key.rotated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ApiKey
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ApiKeyWithSecret(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["api_key"]
    """The kind of this object."""
    name: str
    """The name by which people recognize the key."""
    mode: Literal["live", "test"]
    """Whether the key works with live data or with test data."""
    access: Literal["full", "read_only"]
    """Whether the key may read and write (`full`) or only read (`read_only`)."""
    business: BusinessReference
    """The business that this object belongs to."""
    user: UserReference
    """The user as whom the key acts."""
    prefix: str
    """The first characters of the key, which show its access and its mode."""
    last4: str
    """The last four characters of the key, which people compare."""
    created_at: str
    """The time at which this object was created."""
    last_used_at: Optional[str]
    """The time at which the key was last used, to the minute, or null before that."""
    expires_at: Optional[str]
    """The time at which the key stops working; null means that it does not expire. A rotation can set an earlier
    time.
    """
    revoked_at: Optional[str]
    """The time at which the key was revoked, or null before that."""
    secret: NotRequired[str]
    """The secret, which the first response alone contains: store it now."""


class AttachmentBody(TypedDict):
    url: str
    """The address of the file; the service stores no file."""
    name: NotRequired[Optional[str]]
    """The name of the file that readers see; null for none."""


class AttachmentFields(TypedDict):
    url: str
    """The address of the file or the page, with https."""
    type: NotRequired[Literal["image", "video", "audio", "file", "link", None]]
    """The kind of the attachment."""
    name: NotRequired[Optional[str]]
    """The name that members see."""
    mime_type: NotRequired[Optional[str]]
    """The media type of the file."""
    size_bytes: NotRequired[Optional[int]]
    """The size of the file, in bytes."""


class AuditChain(TypedDict):
    object: Literal["audit_chain"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    count: int
    """The number of events in the hash chain up to this head."""
    position: str
    """The position in the log of the last of these events; empty without events."""
    head: str
    """The head of the hash chain: the SHA-256 of the head before it and of the last event, in hexadecimal digits."""
    signing_key: AuditChainSigningKey
    """The key with which the service signs checkpoints."""
    checkpoints: List[AuditCheckpoint]
    """The newest signed heads of the chain, at most 100, newest first."""


class AuditChainSigningKey(TypedDict):
    """The key with which the service signs checkpoints."""

    key_id: str
    """The id of the signing key: the first 16 hexadecimal digits of the SHA-256 of the public key."""
    algorithm: Literal["Ed25519"]
    """The signature scheme of the key."""
    public_key: str
    """The public key that verifies the signatures: 32 bytes in base64url."""


class AuditCheckpoint(TypedDict):
    object: Literal["audit_checkpoint"]
    """The kind of this object."""
    count: int
    """The number of events in the hash chain up to this head."""
    position: str
    """The position in the log of the last of these events; empty without events."""
    head: str
    """The head of the hash chain: the SHA-256 of the head before it and of the last event, in hexadecimal digits."""
    signed_at: str
    """The time at which the service signed the head."""
    key_id: str
    """The id of the signing key: the first 16 hexadecimal digits of the SHA-256 of the public key."""
    signature: str
    """The Ed25519 signature of `business`, `count`, `position` and `head` as canonical JSON, in base64url."""
    public_key: str
    """The public key that verifies the signatures: 32 bytes in base64url."""


class AuditCorrelation(TypedDict):
    id: str
    """The id of the first request."""
    object: Literal["audit_correlation"]
    """The kind of this object."""
    event_count: int
    """The number of events in the tree."""
    truncated: bool
    """Whether the request caused more events than the first 1,000, which the tree shows."""
    commands: List[AuditCorrelationCommand]
    """The first commands of the request, each with everything that it caused."""


class AuditCorrelationCommand(TypedDict):
    command: str
    """The name of the command."""
    actor: Dict[str, Any]
    """The actor who sent the command."""
    causation_id: str
    """The id of the request, the event or the command that directly caused this command."""
    events: List[Dict[str, Any]]
    """The audit events of the command; the `commands` of each are those that the event caused."""
    commands: List[Dict[str, Any]]
    """The commands that this command caused directly, without an event between them."""


class AuditEvent(TypedDict):
    id: str
    """The id of the recorded event."""
    object: Literal["audit_event"]
    """The kind of this object."""
    type: str
    """The event as the service recorded it."""
    stream: str
    """The stream of the event: the events of one object in their order."""
    revision: int
    """The place of the event in its stream, from 0."""
    position: str
    """The place of the event in the whole log. Positions compare as text: the greater one is the later event."""
    recorded_at: str
    """The time at which the service recorded the event."""
    actor: AuditEventActor
    """The actor who caused the event."""
    business: BusinessReference
    """The business that this object belongs to."""
    mode: Literal["live", "test"]
    """Whether the event belongs to the live data or to the test data."""
    resource: AuditEventResource
    """The smallest resource that the event is about."""
    correlation_id: str
    """The id of the first request; everything that this request caused has the same id."""
    causation_id: str
    """The id of the request, the command or the event that directly caused this event."""
    request_id: Optional[str]
    """The `X-Request-Id` of the request; null for an event of a background process."""
    command: str
    """The command that recorded the event."""


class AuditEventActor(TypedDict):
    """The actor who caused the event."""

    type: Literal["api_key", "user", "cart", "system"]
    """Whether an API key, a user, the bearer of a cart token or the service itself acts."""
    id: str
    """The id of the API key, the user, the cart or the part of the service."""


class AuditEventDetail(TypedDict):
    id: str
    """The id of the recorded event."""
    object: Literal["audit_event"]
    """The kind of this object."""
    type: str
    """The event as the service recorded it."""
    stream: str
    """The stream of the event: the events of one object in their order."""
    revision: int
    """The place of the event in its stream, from 0."""
    position: str
    """The place of the event in the whole log. Positions compare as text: the greater one is the later event."""
    recorded_at: str
    """The time at which the service recorded the event."""
    actor: AuditEventDetailActor
    """The actor who caused the event."""
    business: BusinessReference
    """The business that this object belongs to."""
    mode: Literal["live", "test"]
    """Whether the event belongs to the live data or to the test data."""
    resource: AuditEventDetailResource
    """The smallest resource that the event is about."""
    correlation_id: str
    """The id of the first request; everything that this request caused has the same id."""
    causation_id: str
    """The id of the request, the command or the event that directly caused this event."""
    request_id: Optional[str]
    """The `X-Request-Id` of the request; null for an event of a background process."""
    command: str
    """The command that recorded the event."""
    data: Dict[str, Any]
    """The data of the event without secrets; the fields of a forgotten person are null."""
    before: Optional[Dict[str, Any]]
    """The resource before the event; null when it did not exist, or when the API does not show its kind."""
    after: Optional[Dict[str, Any]]
    """The resource after the event; null when it was deleted, or when the API does not show its kind."""
    changes: Dict[str, AuditEventDetailChangesValue]
    """The fields that the event changed, by path, such as `plans[1].amount_cents`."""


class AuditEventDetailActor(TypedDict):
    """The actor who caused the event."""

    type: Literal["api_key", "user", "cart", "system"]
    """Whether an API key, a user, the bearer of a cart token or the service itself acts."""
    id: str
    """The id of the API key, the user, the cart or the part of the service."""


class AuditEventDetailChangesValue(TypedDict):
    before: Any
    """The value before the event; null when the field did not exist."""
    after: Any
    """The value after the event; null when the field was removed."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class AuditEventDetailResource(TypedDict):
    """The smallest resource that the event is about."""

    object: str
    """The kind of the resource."""
    id: str
    """The id of the resource."""


class AuditEventResource(TypedDict):
    """The smallest resource that the event is about."""

    object: str
    """The kind of the resource."""
    id: str
    """The id of the resource."""


class AuditExport(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["audit_export"]
    """The kind of this object."""
    status: Literal["pending", "running", "completed", "failed"]
    """Whether the export waits (`pending`), is being written (`running`), or has ended with a file (`completed`) or
    without one (`failed`).
    """
    format: Literal["ndjson", "csv"]
    """The format of the file: complete (`ndjson`), or flat for spreadsheets (`csv`)."""
    recorded_from: Optional[str]
    """The start of the time range of the exported events (inclusive); null for no start."""
    recorded_to: Optional[str]
    """The end of the time range of the exported events (inclusive); null for no end."""
    types: List[str]
    """The types of the exported events; an empty list means every type."""
    resource: Optional[str]
    """The id of the resource whose events are exported; null for all resources."""
    bytes: Optional[int]
    """The size of the file in bytes; null without a completed file."""
    manifest: Optional[AuditExportManifest]
    """The contents of the file, and the signed head that proves them; null without a completed file."""
    error: Literal["chain_mismatch", "file_too_large", None]
    """Why the export failed: the hash chain does not fit the log (`chain_mismatch`), or the file would be too large
    (`file_too_large`). It is null otherwise.
    """
    created_at: str
    """The time at which this object was created."""
    completed_at: Optional[str]
    """The time at which the export was completed or failed, or null before that."""
    file_removed_at: Optional[str]
    """The time at which the file was removed to make room for the files of newer exports, or null before that."""


class AuditExportManifest(TypedDict):
    """The contents of the file, and the signed head that proves them; null without a completed file."""

    object: Literal["export_manifest"]
    """The kind of this object."""
    export: AuditExportReference
    """The export that the manifest belongs to."""
    business: Optional[str]
    """The id of the business whose events the file contains; null for events that belong to no business."""
    format: Literal["ndjson", "csv"]
    """The format of the file: complete (`ndjson`), or flat for spreadsheets (`csv`)."""
    count: int
    """The number of exported events, without those of which the file has only the hash."""
    first_position: Optional[str]
    """The position of the first exported event in the log; null without events."""
    last_position: Optional[str]
    """The position of the last exported event in the log; null without events."""
    sha256: str
    """The SHA-256 of the file, in hexadecimal digits."""
    chain: AuditExportManifestChain
    """The head of the hash chain at the end of the file."""
    checkpoint: AuditExportManifestCheckpoint
    """The signed head of the hash chain at the end of the file."""


class AuditExportManifestChain(TypedDict):
    """The head of the hash chain at the end of the file."""

    count: int
    """The number of events in the hash chain up to this head."""
    head: str
    """The head of the hash chain: the SHA-256 of the head before it and of the last event, in hexadecimal digits."""


class AuditExportManifestCheckpoint(TypedDict):
    """The signed head of the hash chain at the end of the file."""

    count: int
    """The number of events in the hash chain up to this head."""
    position: str
    """The position in the log of the last of these events; empty without events."""
    head: str
    """The head of the hash chain: the SHA-256 of the head before it and of the last event, in hexadecimal digits."""
    signed_at: str
    """The time at which the service signed the head."""
    key_id: str
    """The id of the signing key: the first 16 hexadecimal digits of the SHA-256 of the public key."""
    signature: str
    """The Ed25519 signature of `business`, `count`, `position` and `head` as canonical JSON, in base64url."""


class AuditExportReference(TypedDict):
    object: Literal["audit_export"]
    """The kind of this object."""
    id: str
    """The id of the audit export."""


class AuditHistoryItem(TypedDict):
    id: str
    """The id of the recorded event."""
    object: Literal["audit_event"]
    """The kind of this object."""
    type: str
    """The event as the service recorded it."""
    stream: str
    """The stream of the event: the events of one object in their order."""
    revision: int
    """The place of the event in its stream, from 0."""
    position: str
    """The place of the event in the whole log. Positions compare as text: the greater one is the later event."""
    recorded_at: str
    """The time at which the service recorded the event."""
    actor: AuditHistoryItemActor
    """The actor who caused the event."""
    business: BusinessReference
    """The business that this object belongs to."""
    mode: Literal["live", "test"]
    """Whether the event belongs to the live data or to the test data."""
    resource: AuditHistoryItemResource
    """The smallest resource that the event is about."""
    correlation_id: str
    """The id of the first request; everything that this request caused has the same id."""
    causation_id: str
    """The id of the request, the command or the event that directly caused this event."""
    request_id: Optional[str]
    """The `X-Request-Id` of the request; null for an event of a background process."""
    command: str
    """The command that recorded the event."""
    changes: Dict[str, AuditHistoryItemChangesValue]
    """The fields that the event changed, by path, such as `plans[1].amount_cents`."""


class AuditHistoryItemActor(TypedDict):
    """The actor who caused the event."""

    type: Literal["api_key", "user", "cart", "system"]
    """Whether an API key, a user, the bearer of a cart token or the service itself acts."""
    id: str
    """The id of the API key, the user, the cart or the part of the service."""


class AuditHistoryItemChangesValue(TypedDict):
    before: Any
    """The value before the event; null when the field did not exist."""
    after: Any
    """The value after the event; null when the field was removed."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class AuditHistoryItemResource(TypedDict):
    """The smallest resource that the event is about."""

    object: str
    """The kind of the resource."""
    id: str
    """The id of the resource."""


class AwardPointsBody(TypedDict):
    points: int
    """The points to add to the balance of the member."""
    target_email: str
    """The e-mail address of the member who receives the points."""
    source_type: NotRequired[Optional[str]]
    """The kind of the source, which needs a source id; null for a manual award, which may be repeated."""
    source_id: NotRequired[Optional[str]]
    """The id of the source, which pays each member once; null without a source type."""


class Balance(TypedDict):
    object: Literal["balance"]
    """The kind of this object."""
    balances: List[BalanceBalance]
    """The balance in each currency of the sales, in the order of the codes."""


class BalanceBalance(TypedDict):
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    amount_cents: int
    """The net amount of all sales less refunds, payouts and the disputes that are open or lost, in cents. The fees
    of refunded sales and disputes can make it negative; sales then raise it again, and until it is high enough no
    payout and no refund is possible.
    """
    pending_cents: int
    """The part of the amount whose funds are not released yet, in cents."""


class Business(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["business"]
    """The kind of this object."""
    name: str
    """The name by which people recognize the business."""
    owner: UserReference
    """The user who owns the business and manages its API keys."""
    created_at: str
    """The time at which this object was created."""


class BusinessReference(TypedDict):
    object: Literal["business"]
    """The kind of this object."""
    id: str
    """The id of the business."""


class Buyer(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["buyer"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    orders_count: int
    """The number of completed orders of the buyer."""
    subscriptions_count: int
    """The number of subscriptions that the buyer started, ended ones included."""
    spent: List[BuyerSpent]
    """The sums of the payments and refunds in each currency."""
    first_order_at: Optional[str]
    """The time at which the first order was completed, or null before that."""
    last_order_at: Optional[str]
    """The time at which the latest order was completed, or null before that."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class BuyerBody(TypedDict):
    email: str
    """The e-mail address of the buyer; a business has one buyer for an address."""
    name: NotRequired[Optional[str]]
    """The name of the buyer; null for none."""


class BuyerErasedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["buyer.erased"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ErasedBuyer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class BuyerProduct(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["product"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    name: str
    """The name of the product."""
    description: Optional[str]
    """The text about the product, or null."""
    plans: List[BuyerProductPlan]
    """The plans by which the product is sold, in the order in which they were added; a buyer sees only the active
    ones.
    """
    images: List[BuyerProductImage]
    """The images of the product, in the order in which they were added."""
    purchasable: bool
    """Whether the product can be bought now."""
    purchase_block_reason: Literal["none", "pending_approval", "inactive", "no_active_plan"]
    """The reason why the product cannot be bought: it is not approved (`pending_approval`), not on sale (`inactive`)
    or without an active plan (`no_active_plan`); `none` when it can.
    """


class BuyerProductImage(TypedDict):
    id: str
    """The id of the image."""
    url: str
    """The address of the image; the service stores no file."""
    alt: Optional[str]
    """The text that describes the image, or null."""


class BuyerProductPlan(TypedDict):
    object: Literal["payment_plan"]
    """The kind of this object."""
    id: str
    """The id of the plan."""
    kind: Literal["one_time", "subscription", "installment"]
    """Whether the plan is charged once (`one_time`), at each interval until it ends (`subscription`), or in a fixed
    number of parts (`installment`).
    """
    name: Optional[str]
    """The name by which buyers distinguish the plan, or null."""
    amount_cents: int
    """The price of one charge in cents: the whole price, that of one period, or that of one part."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    interval: Literal["day", "week", "month", "year", None]
    """The unit of the time between two charges; null for a plan that is charged once."""
    interval_count: int
    """The number of intervals between two charges; 1 for a plan that is charged once."""
    installments_count: Optional[int]
    """The number of parts, with the one at checkout; null for a plan of another kind."""
    status: Literal["active", "archived"]
    """Whether the plan can be bought (`active`), or only continues where it was bought before (`archived`)."""


class BuyerSpent(TypedDict):
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    amount_cents: int
    """The sum of the payments that succeeded, before refunds, in cents."""
    refunded_cents: int
    """The amount that was refunded of it, in cents."""


class Caller(TypedDict):
    object: Literal["caller"]
    """The kind of this object."""
    actor: CallerActor
    """The actor of the events that the caller causes."""
    user: Optional[CallerUser]
    """The user of the session or of the API key; null for another credential."""
    business: Optional[BusinessReference]
    """The business that the caller acts for; null for a session that names none."""
    mode: Literal["live", "test"]
    """Whether the caller works with live data or with test data."""
    access: Literal["full", "read_only"]
    """Whether the caller may read and write (`full`) or only read (`read_only`)."""


class CallerActor(TypedDict):
    """The actor of the events that the caller causes."""

    type: str
    """Whether an API key, a user, the bearer of a cart token or the service itself acts."""
    id: str
    """The id of the API key, the user, the cart or the part of the service."""


class CallerUser(TypedDict):
    """The user of the session or of the API key; null for another credential."""

    id: str
    """The id of the user, the same for all sessions of the person."""
    email: Optional[str]
    """The e-mail address of the user; null when it is unknown, forgotten or that of another user."""
    email_conflict: NotRequired[bool]
    """True when another user has the e-mail address of the session; left out otherwise."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class CancelBody(TypedDict):
    mode: NotRequired[Literal["at_period_end", "immediately"]]
    """Whether the subscription ends after its paid period (`at_period_end`, the default) or at once (`immediately`)."""
    reason: NotRequired[Optional[str]]
    """The reason of the cancellation; null for none."""


class Cart(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["cart"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    subtotal_amount_cents: int
    """The sum of all lines before discount and tax, in cents."""
    discount_amount_cents: int
    """The discount, in cents."""
    tax_amount_cents: int
    """The tax, in cents."""
    total_amount_cents: int
    """The amount that the buyer pays: subtotal less discount plus tax, in cents."""
    status: Literal["open", "completed", "expired"]
    """Whether the cart can still be changed (`open`), was paid (`completed`), or is too old (`expired`)."""
    currency: Optional[str]
    """The currency of all lines; null until the first line or a choice sets it."""
    buyer: Optional[CartBuyer]
    """The person who buys; null until the cart is given one."""
    lines: List[CartLine]
    """The products in the cart, in the order in which they were added."""
    discount: Optional[DiscountReference]
    """The discount whose code was entered, or null."""
    offer: Optional[OfferReference]
    """The offer that fills the cart, or null."""
    metadata: Dict[str, Any]
    """The values that the creator of the cart stored with it."""
    external_reference: Optional[str]
    """The id of the cart in another system, or null."""
    redirect_url: Optional[str]
    """The page that the buyer sees after the payment; null for none."""
    expires_at: str
    """The time at which an open cart expires; each change of the cart moves it."""


class CartBody(TypedDict):
    currency: NotRequired[Optional[str]]
    """The currency of the cart; null lets the first line choose it."""
    buyer: NotRequired[Optional[BuyerBody]]
    """The person who buys; null removes the buyer."""
    discount_code: NotRequired[Optional[str]]
    """The code of a discount; null removes the discount."""
    offer_id: NotRequired[Optional[str]]
    """The offer that fills the cart with its one line, which cannot be changed; null removes both. A buyer sets it
    only when creating the cart.
    """
    metadata: NotRequired[Dict[str, Any]]
    """The values to store with the cart and its order, instead of all earlier ones; only the seller sets them."""
    external_reference: NotRequired[Optional[str]]
    """The id of the cart in another system; null removes it. Only the seller sets it."""
    redirect_url: NotRequired[Optional[str]]
    """The page that the buyer sees after the payment; null removes it. Only the seller sets it."""


class CartBuyer(TypedDict):
    """The person who buys; null until the cart is given one."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class CartLine(TypedDict):
    id: str
    """The id of the line in this cart; its line of the order has an id of its own."""
    product: ProductReference
    """The product that is bought."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    quantity: int
    """How many are bought."""
    unit_amount_cents: int
    """The price of one, in cents."""
    amount_cents: int
    """The price of one times the quantity, less the discount, in cents."""


class CartOrderCompletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["cart.order.completed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Order
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CartReference(TypedDict):
    object: Literal["cart"]
    """The kind of this object."""
    id: str
    """The id of the cart."""


class CartWithSecret(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["cart"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    subtotal_amount_cents: int
    """The sum of all lines before discount and tax, in cents."""
    discount_amount_cents: int
    """The discount, in cents."""
    tax_amount_cents: int
    """The tax, in cents."""
    total_amount_cents: int
    """The amount that the buyer pays: subtotal less discount plus tax, in cents."""
    status: Literal["open", "completed", "expired"]
    """Whether the cart can still be changed (`open`), was paid (`completed`), or is too old (`expired`)."""
    currency: Optional[str]
    """The currency of all lines; null until the first line or a choice sets it."""
    buyer: Optional[CartWithSecretBuyer]
    """The person who buys; null until the cart is given one."""
    lines: List[CartWithSecretLine]
    """The products in the cart, in the order in which they were added."""
    discount: Optional[DiscountReference]
    """The discount whose code was entered, or null."""
    offer: Optional[OfferReference]
    """The offer that fills the cart, or null."""
    metadata: Dict[str, Any]
    """The values that the creator of the cart stored with it."""
    external_reference: Optional[str]
    """The id of the cart in another system, or null."""
    redirect_url: Optional[str]
    """The page that the buyer sees after the payment; null for none."""
    expires_at: str
    """The time at which an open cart expires; each change of the cart moves it."""
    cart_token: NotRequired[str]
    """The secret, which the first response alone contains: store it now."""


class CartWithSecretBuyer(TypedDict):
    """The person who buys; null until the cart is given one."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class CartWithSecretLine(TypedDict):
    id: str
    """The id of the line in this cart; its line of the order has an id of its own."""
    product: ProductReference
    """The product that is bought."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    quantity: int
    """How many are bought."""
    unit_amount_cents: int
    """The price of one, in cents."""
    amount_cents: int
    """The price of one times the quantity, less the discount, in cents."""


class Challenge(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["challenge"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    title: str
    """The title that members see."""
    description: Optional[str]
    """The text that explains the challenge; null for none."""
    goal_type: Literal["posts", "comments", "cp", "streak", "missions", "custom"]
    """The unit of the goal: posts, comments, points (`cp`), days in a row with a post or a comment (`streak`),
    completed onboarding tasks (`missions`), or awards of the source type `challenge_custom` (`custom`).
    """
    goal_target: int
    """The count at which a member completes the challenge."""
    cp_reward: int
    """The points that a member receives once for completing it; 0 for none."""
    prize_description: Optional[str]
    """The text about a prize besides the points; null for none."""
    starts_at: str
    """The time from which activities count."""
    ends_at: Optional[str]
    """The time before which activities count; null for a challenge without an end."""
    deadline_timezone: str
    """The IANA time zone in which to display the end; it does not move the end."""
    status: Literal["scheduled", "active", "ended", "cancelled"]
    """Whether the challenge starts later (`scheduled`), is open (`active`), is past its end (`ended`), or was
    `cancelled`.
    """
    created_by: UserReference
    """The user who created this object."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time of the latest edit or of the cancellation; before one, of the creation."""
    cancelled_at: Optional[str]
    """The time at which the challenge was cancelled, or null before that."""
    participant_count: int
    """The number of members who have joined the challenge."""


class ChallengeProgress(TypedDict):
    object: Literal["challenge_progress"]
    """The kind of this object."""
    challenge: ChallengeReference
    """The challenge that the user has joined."""
    user: UserReference
    """The user who takes part."""
    joined_at: str
    """The time at which the user joined the challenge."""
    count: int
    """The activities counted so far, in the unit of the goal; 0 for a streak that is broken."""
    goal_target: int
    """The count that completes the challenge; fixed once the user has completed it."""
    completed_at: Optional[str]
    """The time at which the user reached the goal, or null before that."""


class ChallengeReference(TypedDict):
    object: Literal["challenge"]
    """The kind of this object."""
    id: str
    """The id of the challenge."""


class ChangeLineBody(TypedDict):
    plan_id: NotRequired[str]
    """The plan by which the product is bought. A new line without it has the first active plan of the product; any
    other line keeps its plan.
    """
    quantity: NotRequired[int]
    """How many to buy. A new line without it has 1; any other line keeps its quantity."""


class ChangeMemberBody(TypedDict):
    role: NotRequired[Literal["moderator", "member"]]
    """The new role; only a transfer of the community changes its owner."""
    level: NotRequired[int]
    """The lowest level of the member, regardless of the points."""
    status: NotRequired[Literal["active", "banned"]]
    """The value `banned` excludes the member, and `active` ends a ban; after it, the member is a plain one."""


class ChangePlanBody(TypedDict):
    plan_id: str
    """An active plan of the same product in the same currency. The current plan withdraws the pending change."""


class ChangePriceBody(TypedDict):
    amount_cents: int
    """The price of one period from the next renewal on, before the discount, in cents. The current price withdraws
    the pending change.
    """
    currency: NotRequired[str]
    """The currency of the subscription; another one is refused."""


class Channel(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["channel"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    name: str
    """The name, unique among the live channels of the community."""
    description: Optional[str]
    """The topic of the channel; null for none."""
    visibility: Literal["public", "private"]
    """Whether all members see the channel (`public`), or only the owner and moderators (`private`)."""
    who_can_post: Literal["everyone", "moderators"]
    """Whether every member who reads the channel may send messages (`everyone`), or only the owner and moderators
    (`moderators`).
    """
    required_level: int
    """The lowest level of a member who may read the channel; 0 admits all members."""
    is_default: bool
    """Whether the community began with this channel, which cannot be made private or deleted."""
    created_by: UserReference
    """The user who created this object."""
    created_at: str
    """The time at which this object was created."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""


class ChannelReference(TypedDict):
    object: Literal["channel"]
    """The kind of this object."""
    id: str
    """The id of the channel."""


class CheckOutBody(TypedDict):
    payment_method: NotRequired[Optional[PaymentMethodBody]]
    """The payment method to charge; optional when nothing is due, and kept for later charges."""
    buyer: NotRequired[Optional[BuyerBody]]
    """The person who buys; null or left out for the buyer of the cart."""


class CheckedOutOrder(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["order"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    subtotal_amount_cents: int
    """The sum of all lines before discount and tax, in cents."""
    discount_amount_cents: int
    """The discount, in cents."""
    tax_amount_cents: int
    """The tax, in cents."""
    total_amount_cents: int
    """The amount that the buyer pays: subtotal less discount plus tax, in cents."""
    status: Literal["pending", "completed", "failed", "cancelled"]
    """Whether the checkout is not finished (`pending`), has succeeded (`completed`), or its payment failed
    (`failed`). No order becomes `cancelled`.
    """
    livemode: bool
    """Whether its payments move money: false in test mode, and while the payments of live mode are simulated."""
    buyer: CheckedOutOrderBuyer
    """The person who bought."""
    line_items: List[CheckedOutOrderLineItem]
    """The products that were bought, as they were in the cart."""
    refunded_amount_cents: int
    """The amount that was refunded of all payments of the order, in cents."""
    refund_status: Literal["none", "partial", "full"]
    """Whether nothing (`none`), a part (`partial`) or all (`full`) of what was paid so far for the order, renewals
    and installments included, is refunded.
    """
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    payments: List[PaymentReference]
    """The newest 500 payments, renewals and installments included, oldest first."""
    installments: Optional[CheckedOutOrderInstallments]
    """The progress of all lines that are paid in installments; null for an order without any, and before it is
    completed.
    """
    invoice: Optional[InvoiceReference]
    """The invoice of the checkout; null before the order is completed."""
    offer: Optional[OfferReference]
    """The offer that was bought, or null."""
    cart: CartReference
    """The cart that was checked out."""
    metadata: Dict[str, Any]
    """The metadata of the cart at checkout."""
    external_reference: Optional[str]
    """The external reference of the cart at checkout, or null."""
    completed_at: Optional[str]
    """The time at which the order was completed, or null before that."""
    redirect_url: Optional[str]
    """The page to which the buyer is sent: that of the cart, with the id of the order and the metadata as
    parameters; null for none.
    """


class CheckedOutOrderBuyer(TypedDict):
    """The person who bought."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class CheckedOutOrderInstallments(TypedDict):
    """The progress of all lines that are paid in installments; null for an order without any, and before it is
    completed.
    """

    count: int
    """The number of all parts, with those that the checkout paid."""
    paid: int
    """The number of parts that are paid."""
    failed: int
    """The number of parts whose last charge has failed."""
    remaining_amount_cents: int
    """The amount that will still be charged, in cents; 0 after the end."""
    next_due_at: Optional[str]
    """The time of the next charge or retry; null when none follows."""
    status: Literal["active", "completed", "cancelled", "uncollectible"]
    """Whether parts are still charged (`active`), all are paid (`completed`), the later ones were cancelled
    (`cancelled`), or a part was not paid after the last retry (`uncollectible`).
    """


class CheckedOutOrderLineItem(TypedDict):
    object: Literal["line_item"]
    """The kind of this object."""
    id: str
    """The id of the line, the same as in its invoices."""
    product: ProductReference
    """The product that is bought."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    quantity: int
    """How many are bought."""
    unit_amount_cents: int
    """The price of one, in cents."""
    amount_cents: int
    """The price of one times the quantity, less the discount, in cents."""
    kind: Literal["one_time", "subscription", "installment"]
    """Whether the line is charged once (`one_time`), as a subscription (`subscription`), or in parts
    (`installment`).
    """
    name: str
    """The name of the product when it was put into the cart."""
    discount_amount_cents: int
    """The discount on the line, in cents."""
    tax_amount_cents: int
    """The tax on the line, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    subscription: NotRequired[SubscriptionReference]
    """The subscription that the line started; left out on other lines, and before the order is completed."""


class Comment(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["comment"]
    """The kind of this object."""
    post: PostReference
    """The post that the comment is about."""
    author: UserReference
    """The user who wrote this object."""
    content: Optional[str]
    """The text of the comment; null once the comment is deleted."""
    parent_comment_id: Optional[str]
    """The id of the comment that this comment replies to; null for a comment on the post itself."""
    created_at: str
    """The time at which this object was created."""
    deleted: bool
    """Whether the comment is deleted; its replies stay."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""


class Community(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["community"]
    """The kind of this object."""
    name: str
    """The name that members see."""
    description: Optional[str]
    """The text about the community; null for none."""
    cover_image_url: Optional[str]
    """The address of the cover image; null for none."""
    tier: Literal["free", "paid"]
    """Whether users join for nothing (`free`), or must buy the product first (`paid`)."""
    status: Literal["active", "archived"]
    """Whether the community can be changed (`active`), or only read, left and cleaned up (`archived`)."""
    product: Optional[ProductReference]
    """The product that gives access to a paid community; null for a free one, and for a paid one before it has a
    product.
    """
    member_count: int
    """The number of active members, the owner included."""
    created_at: str
    """The time at which this object was created."""
    join_policy: Literal["open", "invite"]
    """Whether users can join (`open`), or need an invite (`invite`)."""
    owner: UserReference
    """The user who manages the community."""
    business: Optional[BusinessReference]
    """The business whose keys act as the owner; null when it belongs to no business."""
    levels: List[CommunityLevel]
    """The levels of members, with rising numbers and points."""
    updated_at: str
    """The time of the latest change of the settings, the status or the owner."""


class CommunityArchivedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.archived"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Community
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeCancelledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.cancelled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Challenge
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeCompletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.completed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ChallengeProgress
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Challenge
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeEndedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.ended"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Challenge
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeJoinedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.joined"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ChallengeProgress
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeProgressedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.progressed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ChallengeProgress
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeStartedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.started"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Challenge
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChallengeUpdatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.challenge.updated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Challenge
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChannelCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.channel.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Channel
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChannelDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.channel.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: DeletedChannel
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityChannelUpdatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.channel.updated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Channel
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityCommentCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.comment.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Comment
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityCommentDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.comment.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: DeletedComment
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Community
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteAcceptedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.accepted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteDeclinedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.declined"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteExpiredEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.expired"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteRenewedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.renewed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityInviteRevokedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.invite.revoked"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invite
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityLevel(TypedDict):
    level: int
    """The number of the level."""
    points: int
    """The lowest balance of points with which a member has the level."""


class CommunityLibraryResourceCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.library_resource.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: LibraryResource
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityLibraryResourceDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.library_resource.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: DeletedLibraryResource
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityLibraryResourceDownloadedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.library_resource.downloaded"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: LibraryDownload
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityLibraryResourceUpdatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.library_resource.updated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: LibraryResource
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMember(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["community_member"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    user: CommunityMemberUser
    """The user who is the member."""
    role: Literal["owner", "moderator", "member"]
    """Whether the member manages the community (`owner`), moderates it (`moderator`), or takes part (`member`)."""
    status: Literal["active", "pending", "removed", "banned"]
    """Whether the member takes part (`active`), was added and has not signed in yet (`pending`), left or was removed
    (`removed`), or may not return (`banned`).
    """
    expert_badge: Optional[CommunityMemberExpertBadge]
    """The badge that marks an expert; null for other members."""
    joined_at: Optional[str]
    """The time at which the user joined, the last time after a return; null for a member who has never signed in."""
    level: int
    """The level that the points give in the community, or the granted level when that is higher."""
    points: int
    """The balance of the points of the member; it is never negative."""


class CommunityMemberBannedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.banned"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberChangedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.changed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberErasedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.erased"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: ErasedMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberExpertBadge(TypedDict):
    """The badge that marks an expert; null for other members."""

    assigned_at: str
    """The time at which the member received the badge."""
    assigned_by: UserReference
    """The user who assigned the badge."""


class CommunityMemberExpertBadgeAssignedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.expert_badge_assigned"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberExpertBadgeRemovedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.expert_badge_removed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberImportedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.imported"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberJoinedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.joined"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberLeftEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.left"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberRemovedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.removed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberUnbannedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.member.unbanned"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: CommunityMember
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMemberUser(TypedDict):
    """The user who is the member."""

    object: Literal["user"]
    """The kind of this object."""
    id: str
    """The id of the user."""
    email: Optional[str]
    """The e-mail address of the user; null for a plain member who sees another one, for a user without an address,
    and once the user is forgotten.
    """
    name: Optional[str]
    """The name of the user; null when it is unknown."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class CommunityMessageCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.message.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Message
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMessageDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.message.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Message
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityMessageEditedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.message.edited"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Message
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityOnboardingTaskCompletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.onboarding_task.completed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: OnboardingTaskCompletionFacts
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityOnboardingTaskCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.onboarding_task.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: OnboardingTask
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityOnboardingTaskDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.onboarding_task.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: DeletedOnboardingTask
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPointsAwardedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.points.awarded"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: PointsAward
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPointsReversedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.points.reversed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: PointsAward
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Post
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: DeletedPost
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostEditedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.edited"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Post
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostLikedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.liked"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: PostLike
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostRestoredEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.restored"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Post
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityPostUnlikedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.post.unliked"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: PostLike
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityReference(TypedDict):
    object: Literal["community"]
    """The kind of this object."""
    id: str
    """The id of the community."""


class CommunityReopenedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.reopened"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Community
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityTransferredEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.transferred"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Community
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CommunityUpdatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["community.updated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Community
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class CountedLibraryDownload(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["library_download"]
    """The kind of this object."""
    resource: LibraryResourceReference
    """The resource that was downloaded."""
    user: UserReference
    """The user who downloaded it."""
    download_url: str
    """The address of the file at the time of the download."""
    downloaded_at: str
    """The time of the download."""
    resource_download_count: int
    """The number of downloads of the resource so far."""


class CreateApiKeyBody(TypedDict):
    name: str
    """The name by which people recognize the key."""
    mode: Literal["live", "test"]
    """Whether the key works with live data or with test data."""
    access: Literal["full", "read_only"]
    """Whether the key may read and write (`full`) or only read (`read_only`)."""
    expires_at: NotRequired[Optional[str]]
    """The time at which the key stops working; null means that it does not expire."""


class CreateAuditExportBody(TypedDict):
    format: NotRequired[Literal["ndjson", "csv"]]
    """The format of the file: complete (`ndjson`, the default), or flat for spreadsheets (`csv`)."""
    recorded_from: NotRequired[Optional[str]]
    """The start of the time range of the exported events (inclusive); null for no start."""
    recorded_to: NotRequired[Optional[str]]
    """The end of the time range of the exported events (inclusive); null for no end. A date means the end of that
    day (UTC).
    """
    types: NotRequired[List[AuditType]]
    """The types of the exported events; an empty list means every type, and is the default."""
    resource: NotRequired[Optional[str]]
    """The id of the resource whose events are exported; null for all resources."""


class CreateBusinessBody(TypedDict):
    name: str
    """The name by which people recognize the business."""


class CreateCartBody(TypedDict):
    business_id: NotRequired[str]
    """The business that sells; required when a signed-in buyer creates the cart."""
    currency: NotRequired[Optional[str]]
    """The currency of the cart; null lets the first line choose it."""
    buyer: NotRequired[Optional[BuyerBody]]
    """The person who buys; null removes the buyer."""
    discount_code: NotRequired[Optional[str]]
    """The code of a discount; null removes the discount."""
    offer_id: NotRequired[Optional[str]]
    """The offer that fills the cart with its one line, which cannot be changed; null removes both. A buyer sets it
    only when creating the cart.
    """
    metadata: NotRequired[Dict[str, Any]]
    """The values to store with the cart and its order, instead of all earlier ones; only the seller sets them."""
    external_reference: NotRequired[Optional[str]]
    """The id of the cart in another system; null removes it. Only the seller sets it."""
    redirect_url: NotRequired[Optional[str]]
    """The page that the buyer sees after the payment; null removes it. Only the seller sets it."""


class CreateChallengeBody(TypedDict):
    title: str
    """The title that members see."""
    goal_type: Literal["posts", "comments", "cp", "streak", "missions", "custom"]
    """The unit of the goal: posts, comments, points (`cp`), days in a row with a post or a comment (`streak`),
    completed onboarding tasks (`missions`), or awards of the source type `challenge_custom` (`custom`).
    """
    goal_target: int
    """The count at which a member completes the challenge, in the unit of the goal."""
    description: NotRequired[Optional[str]]
    """The text that explains the challenge; null for none."""
    cp_reward: NotRequired[int]
    """The points that a member receives once for completing it; without it, a new challenge pays none."""
    prize_description: NotRequired[Optional[str]]
    """The text about a prize besides the points; null for none."""
    starts_at: NotRequired[str]
    """The time from which activities count; without it, a new challenge starts at once."""
    ends_at: NotRequired[Optional[str]]
    """The time before which activities count, in the future; null for a challenge without an end."""
    deadline_timezone: NotRequired[str]
    """The IANA time zone in which to display the end, which it does not move; without it, UTC for a new challenge."""


class CreateChannelBody(TypedDict):
    name: str
    """The name, unique among the live channels of the community in any letter case."""
    description: NotRequired[Optional[str]]
    """The topic of the channel; null for none."""
    visibility: NotRequired[Literal["public", "private"]]
    """Whether all members see the channel (`public`, also for a new channel without it), or only the owner and
    moderators (`private`).
    """
    who_can_post: NotRequired[Literal["everyone", "moderators"]]
    """Whether every member who reads the channel may send messages (`everyone`, also for a new channel without it),
    or only the owner and moderators (`moderators`).
    """
    required_level: NotRequired[int]
    """The lowest level of a member who may read the channel; 0, also for a new channel without it, admits all
    members.
    """


class CreateCommentBody(TypedDict):
    content: str
    """The text of the comment."""
    parent_comment_id: NotRequired[Optional[str]]
    """The id of the comment of the same post that this comment replies to; null for a comment on the post itself."""


class CreateCommunityBody(TypedDict):
    name: str
    """The name that members see."""
    description: NotRequired[Optional[str]]
    """The text about the community; null for none."""
    cover_image_url: NotRequired[Optional[str]]
    """The https address of the cover image; null for none."""
    tier: NotRequired[Literal["free", "paid", None]]
    """Whether users join for nothing (`free`, the default), or must buy the product first (`paid`)."""
    product_id: NotRequired[Optional[str]]
    """The id of the product that gives access to a paid community; without it, only invited users can join a paid
    one.
    """


class CreateDiscountBody(TypedDict):
    code: str
    """The code that a buyer enters; upper and lower case are the same."""
    percent_off: int
    """The percentage by which each charge is reduced."""
    duration: NotRequired[Literal["once", "repeating", "forever"]]
    """The charges of a subscription or of installments to reduce: the first one (`once`, the default), those of some
    months (`repeating`), or all (`forever`).
    """
    months: NotRequired[Optional[int]]
    """The number of months whose charges are reduced, counted from the first one; required for a repeating discount,
    and allowed for no other.
    """


class CreateEndpointBody(TypedDict):
    url: str
    """The URL to which the service posts the events. It needs https and a public address, unless the operator allows
    others.
    """
    event_types: NotRequired[List[str]]
    """The types of the events to receive. `community.*` selects all types that begin so, later ones too; `*` alone,
    the default of a new endpoint, selects every type that is `included_in_all`.
    """
    description: NotRequired[Optional[str]]
    """A note about the endpoint; null removes it."""
    status: NotRequired[Literal["enabled", "disabled"]]
    """`enabled` to receive events, or `disabled` to receive only test events; a new endpoint is enabled by default."""
    rate_limit_per_second: NotRequired[Optional[int]]
    """The most attempts that the endpoint gets in one second; null means the limit of the service."""
    notification_emails: NotRequired[List[str]]
    """The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the
    owner of the business. A repeated address counts once; an empty list removes all.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Values of your own, which are stored with the object and returned unchanged."""


class CreateOfferBody(TypedDict):
    product_id: str
    """The product to offer."""
    buyer: BuyerBody
    """The person to whom the product is offered."""
    amount_cents: int
    """The price of one charge in cents, instead of that of the plan."""
    plan_id: NotRequired[Optional[str]]
    """The plan by which the product is bought; null for its first active plan."""
    currency: NotRequired[Optional[str]]
    """The currency of the plan; null stands for it, and another one is refused."""
    message: NotRequired[Optional[str]]
    """A text for the mail to the buyer; null for none."""
    expires_at: NotRequired[Optional[str]]
    """The time at which the offer expires unless it is accepted; null for 30 days from now."""
    send: NotRequired[bool]
    """Whether the offer is sent at once; it is a draft otherwise."""


class CreatePostBody(TypedDict):
    content: NotRequired[Optional[str]]
    """The text of the post; null with attachments or a video alone."""
    attachments: NotRequired[Optional[List[AttachmentFields]]]
    """The files and links of the post; null for none. Further keys of an attachment are kept."""
    metadata: NotRequired[Optional[Dict[str, Any]]]
    """Values of the author, which are returned unchanged; at most 16 KiB of JSON."""
    required_level: NotRequired[Optional[int]]
    """The lowest level of a member who may read, like and comment on the post; 0, also for a new post without it,
    admits all members.
    """
    video_url: NotRequired[Optional[str]]
    """The https address of a video; null for none."""


class CreateProductBody(TypedDict):
    name: str
    """The name of the product."""
    plans: NotRequired[List[PlanBody]]
    """The plans by which the product is sold; more can be added later."""
    description: NotRequired[Optional[str]]
    """The text about the product; null removes it."""
    metadata: NotRequired[Dict[str, Any]]
    """The values to store with the product, instead of all earlier ones."""
    external_reference: NotRequired[Optional[str]]
    """The id of the product in another system; null removes it."""


class CursorPagination(TypedDict):
    next_cursor: Optional[str]
    """The value of `after` for the next slice; null on the last slice."""
    has_more: bool
    """Whether there is another slice."""


class DeletedChannel(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["channel"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    name: str
    """The name, unique among the live channels of the community."""
    description: Optional[str]
    """The topic of the channel; null for none."""
    visibility: Literal["public", "private"]
    """Whether all members see the channel (`public`), or only the owner and moderators (`private`)."""
    who_can_post: Literal["everyone", "moderators"]
    """Whether every member who reads the channel may send messages (`everyone`), or only the owner and moderators
    (`moderators`).
    """
    required_level: int
    """The lowest level of a member who may read the channel; 0 admits all members."""
    is_default: bool
    """Whether the community began with this channel, which cannot be made private or deleted."""
    created_by: UserReference
    """The user who created this object."""
    created_at: str
    """The time at which this object was created."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""
    deleted: bool
    """Always true: the object is deleted."""
    deleted_by: UserReference
    """The user who deleted this object."""


class DeletedComment(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["comment"]
    """The kind of this object."""
    post: PostReference
    """The post that the comment is about."""
    author: UserReference
    """The user who wrote this object."""
    content: Optional[str]
    """The text of the comment; null once the comment is deleted."""
    parent_comment_id: Optional[str]
    """The id of the comment that this comment replies to; null for a comment on the post itself."""
    created_at: str
    """The time at which this object was created."""
    deleted: bool
    """Always true: the object is deleted."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""
    deleted_by: UserReference
    """The user who deleted this object."""


class DeletedLibraryResource(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["library_resource"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    title: str
    """The title that members see."""
    description: Optional[str]
    """The text about the file; null for none."""
    file_url: Optional[str]
    """The address of the file; null for a member below the required level."""
    mime_type: Optional[str]
    """The media type of the file; null when it is unknown."""
    size_bytes: Optional[int]
    """The size of the file, in bytes; null when it is unknown."""
    required_level: int
    """The lowest level of a member who may download it; 0 admits all members."""
    download_count: int
    """The number of downloads, repeated ones included."""
    unique_download_count: int
    """The number of users who have downloaded the file."""
    created_by: UserReference
    """The user who created this object."""
    created_at: str
    """The time at which this object was created."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""
    deleted: bool
    """Always true: the object is deleted."""
    deleted_by: UserReference
    """The user who deleted this object."""


class DeletedOnboardingTask(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["onboarding_task"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    key: str
    """The key that names the task in requests, unique among the current tasks of the community."""
    title: str
    """The title that members see."""
    description: Optional[str]
    """The text that explains the task; null for none."""
    position: int
    """The place of the task in a progress; the lowest comes first."""
    cp_reward: int
    """The points that a member receives once for completing it; 0 for none."""
    required: bool
    """Whether the community expects each member to complete the task; a progress counts it either way."""
    created_at: str
    """The time at which this object was created."""
    deleted: bool
    """Always true: the object is deleted."""
    deleted_by: UserReference
    """The user who deleted this object."""
    deleted_at: str
    """The time at which this object was deleted."""


class DeletedPost(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["post"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    author: UserReference
    """The user who wrote this object."""
    content: Optional[str]
    """The text of the post; null for none, and when the post is locked or deleted."""
    attachments: Optional[List[DeletedPostAttachment]]
    """The files and links of the post, as they were sent; null when the post is locked or deleted."""
    metadata: Dict[str, Any]
    """The values that the author stored with the post; empty when the post is locked or deleted."""
    required_level: int
    """The lowest level of a member who may read, like and comment on the post; 0 admits all members."""
    locked: bool
    """Whether the level of the viewer is too low to read the post."""
    video_url: Optional[str]
    """The address of a video; null for none, and when the post is locked or deleted."""
    like_count: int
    """The number of users who like the post."""
    comment_count: int
    """The number of comments that are not deleted."""
    is_edited: bool
    """Whether the author has changed the post."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time of the latest edit; before one, of the creation."""
    deleted_at: Optional[str]
    """The time at which the post was deleted; null before that, and once it is restored."""
    deleted: bool
    """Always true: the object is deleted."""
    deleted_by: UserReference
    """The user who deleted this object."""


class DeletedPostAttachment(TypedDict):
    url: str
    """The address of the file or the page."""


class DenyProductBody(TypedDict):
    reason: str
    """The reason of the denial, which the seller sees as `approval_note`."""


class Discount(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["discount"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    code: str
    """The code that a buyer enters; upper and lower case are the same."""
    percent_off: int
    """The percentage by which each charge is reduced, from 1 to 100."""
    duration: Literal["once", "repeating", "forever"]
    """The charges of a subscription or of installments that are reduced: the first one (`once`), those of some
    months (`repeating`), or all (`forever`).
    """
    months: Optional[int]
    """The number of months whose charges are reduced, counted from the first one; null unless the duration is
    `repeating`.
    """
    status: Literal["active", "deleted"]
    """Whether the code can be used (`active`) or no longer (`deleted`)."""
    redemptions: int
    """The number of completed orders with this discount."""


class DiscountCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["discount.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Discount
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class DiscountDeletedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["discount.deleted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Discount
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class DiscountReference(TypedDict):
    object: Literal["discount"]
    """The kind of this object."""
    id: str
    """The id of the discount."""


class Dispute(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["dispute"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    payment: PaymentReference
    """The payment whose money the bank of the buyer asks for."""
    order: OrderReference
    """The order of the payment."""
    amount_cents: int
    """The amount that the bank asks for, in cents. The balance of the seller does not have it while the dispute is
    open or lost.
    """
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    reason: str
    """The reason that the bank gives, in the words of the payment gateway."""
    status: Literal["open", "won", "lost"]
    """Whether the bank has not decided yet (`open`), or for the seller (`won`) or the buyer (`lost`)."""
    evidence_due_at: Optional[str]
    """The time until which the gateway takes evidence from the seller, or null without such a time."""
    closed_at: Optional[str]
    """The time at which the dispute was won or lost, or null before that."""


class DisputeClosedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["dispute.closed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Dispute
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class DisputeOpenedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["dispute.opened"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Dispute
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class DisputeOutcomeBody(TypedDict):
    status: Literal["won", "lost"]
    """Whether the seller has `won` the dispute and gets its money back, or has `lost` it."""


class EditChallengeBody(TypedDict):
    title: NotRequired[str]
    """The title that members see."""
    goal_type: NotRequired[Literal["posts", "comments", "cp", "streak", "missions", "custom"]]
    """The unit of the goal: posts, comments, points (`cp`), days in a row with a post or a comment (`streak`),
    completed onboarding tasks (`missions`), or awards of the source type `challenge_custom` (`custom`).
    """
    goal_target: NotRequired[int]
    """The count at which a member completes the challenge, in the unit of the goal."""
    description: NotRequired[Optional[str]]
    """The text that explains the challenge; null for none."""
    cp_reward: NotRequired[int]
    """The points that a member receives once for completing it; without it, a new challenge pays none."""
    prize_description: NotRequired[Optional[str]]
    """The text about a prize besides the points; null for none."""
    starts_at: NotRequired[str]
    """The time from which activities count; without it, a new challenge starts at once."""
    ends_at: NotRequired[Optional[str]]
    """The time before which activities count, in the future; null for a challenge without an end."""
    deadline_timezone: NotRequired[str]
    """The IANA time zone in which to display the end, which it does not move; without it, UTC for a new challenge."""


class EditChannelBody(TypedDict):
    name: NotRequired[str]
    """The name, unique among the live channels of the community in any letter case."""
    description: NotRequired[Optional[str]]
    """The topic of the channel; null for none."""
    visibility: NotRequired[Literal["public", "private"]]
    """Whether all members see the channel (`public`, also for a new channel without it), or only the owner and
    moderators (`private`).
    """
    who_can_post: NotRequired[Literal["everyone", "moderators"]]
    """Whether every member who reads the channel may send messages (`everyone`, also for a new channel without it),
    or only the owner and moderators (`moderators`).
    """
    required_level: NotRequired[int]
    """The lowest level of a member who may read the channel; 0, also for a new channel without it, admits all
    members.
    """


class EditCommunityBody(TypedDict):
    name: NotRequired[str]
    """The name that members see."""
    description: NotRequired[Optional[str]]
    """The text about the community; null for none."""
    cover_image_url: NotRequired[Optional[str]]
    """The https address of the cover image; null for none."""
    tier: NotRequired[Literal["free", "paid"]]
    """Whether users join for nothing (`free`), or must buy the product first (`paid`)."""
    product_id: NotRequired[Optional[str]]
    """The id of the product that gives access to a paid community; null for a free one."""
    join_policy: NotRequired[Literal["open", "invite"]]
    """Whether users can join (`open`), or need an invite (`invite`)."""
    status: NotRequired[Literal["active"]]
    """The value `active` reopens an archived community."""
    levels: NotRequired[List[LevelBody]]
    """The levels of members, with rising numbers and points; they replace the earlier levels."""


class EditEndpointBody(TypedDict):
    url: NotRequired[str]
    """The URL to which the service posts the events. It needs https and a public address, unless the operator allows
    others.
    """
    event_types: NotRequired[List[str]]
    """The types of the events to receive. `community.*` selects all types that begin so, later ones too; `*` alone,
    the default of a new endpoint, selects every type that is `included_in_all`.
    """
    description: NotRequired[Optional[str]]
    """A note about the endpoint; null removes it."""
    status: NotRequired[Literal["enabled", "disabled"]]
    """`enabled` to receive events, or `disabled` to receive only test events; a new endpoint is enabled by default."""
    rate_limit_per_second: NotRequired[Optional[int]]
    """The most attempts that the endpoint gets in one second; null means the limit of the service."""
    notification_emails: NotRequired[List[str]]
    """The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the
    owner of the business. A repeated address counts once; an empty list removes all.
    """
    metadata: NotRequired[Dict[str, Any]]
    """Values of your own, which are stored with the object and returned unchanged."""


class EditLibraryResourceBody(TypedDict):
    title: NotRequired[str]
    """The title that members see."""
    file_url: NotRequired[str]
    """The https address of the file, which the service does not store itself."""
    description: NotRequired[Optional[str]]
    """The text about the file; null for none."""
    mime_type: NotRequired[Optional[str]]
    """The media type of the file; null when it is unknown."""
    size_bytes: NotRequired[Optional[int]]
    """The size of the file, in bytes; null when it is unknown."""
    required_level: NotRequired[int]
    """The lowest level of a member who may download it; 0, also for a new resource without it, admits all members."""


class EditMessageBody(TypedDict):
    content: NotRequired[Optional[str]]
    """The new text; null removes it from a message with attachments."""
    attachments: NotRequired[Optional[List[AttachmentFields]]]
    """The new files and links, in place of all earlier ones; null removes them."""


class EditPostBody(TypedDict):
    content: NotRequired[Optional[str]]
    """The new text; null removes it from a post with attachments or a video."""
    attachments: NotRequired[Optional[List[AttachmentFields]]]
    """The new files and links, in place of all earlier ones; null removes them."""
    metadata: NotRequired[Dict[str, Any]]
    """The new values of the author, in place of all earlier ones; at most 16 KiB of JSON."""
    required_level: NotRequired[int]
    """The lowest level of a member who may read, like and comment on the post; 0, also for a new post without it,
    admits all members.
    """
    video_url: NotRequired[Optional[str]]
    """The https address of a video; null for none."""


class EditProductBody(TypedDict):
    name: NotRequired[str]
    """The name of the product."""
    status: NotRequired[Literal["active", "inactive"]]
    """Whether the product is to be on sale once it is approved (`active`) or not (`inactive`)."""
    description: NotRequired[Optional[str]]
    """The text about the product; null removes it."""
    metadata: NotRequired[Dict[str, Any]]
    """The values to store with the product, instead of all earlier ones."""
    external_reference: NotRequired[Optional[str]]
    """The id of the product in another system; null removes it."""


class Entitlement(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["entitlement"]
    """The kind of this object."""
    status: Literal["active", "ended"]
    """Whether the purchase entitles its buyer (`active`) or no longer (`ended`)."""
    product: ProductReference
    """The product whose communities the buyer may join."""
    source: EntitlementSource
    """The purchase: a subscription, or a line of an order."""
    user: Optional[UserReference]
    """The user who had verified the address of the purchase; null for an address that nobody had verified."""
    granted_at: str
    """The time at which the entitlement was granted, the last time after an end."""
    ended_at: Optional[str]
    """The time at which the entitlement ended, or null before that."""


class EntitlementEndedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["entitlement.ended"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Entitlement
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class EntitlementGrantedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["entitlement.granted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Entitlement
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class EntitlementSource(TypedDict):
    """The purchase: a subscription, or a line of an order."""

    object: Literal["subscription", "line_item"]
    """The kind of this object."""
    id: str
    """The id of the subscription or of the line of the order."""


class ErasedBuyer(TypedDict):
    id: str
    """The id of the buyer."""
    object: Literal["buyer"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    erased: bool
    """Always true: the personal data of the buyer is erased."""


class ErasedMember(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["community_member"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    erased: bool
    """Always true: the address of the member is erased."""


class EventChangesValue(TypedDict):
    before: Any
    """The value before the event; null when the field did not exist."""
    after: Any
    """The value after the event; null when the field was removed."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


EventDataSchema = TypedDict("EventDataSchema", {
    "$schema": "str",
    "title": "str",
    "type": "Literal[\"object\"]",
    "required": "List[str]",
    "properties": "Dict[str, Any]",
    "examples": "List[Dict[str, Any]]",
})


class EventType(TypedDict):
    id: str
    """The name of the type; endpoints subscribe by it."""
    object: Literal["event_type"]
    """The kind of this object."""
    category: str
    """The first part of the id, which related types share."""
    summary: str
    """The event in a few words."""
    description: str
    """When the service sends such an event."""
    accepts_new_subscriptions: bool
    """Whether endpoints can subscribe to the type."""
    included_in_all: bool
    """Whether `*` selects the type. It leaves out types with very many events: an endpoint names these, or a prefix
    such as `community.message.*`.
    """
    sent: bool
    """Whether the service already sends events of this type."""


class ImageBody(TypedDict):
    url: str
    """The address of the image; the service stores no file."""
    alt: NotRequired[Optional[str]]
    """The text that describes the image; null for none."""


class ImportMembersBody(TypedDict):
    members: List[ImportRowBody]
    """The rows to import, in order; an invalid row fails alone."""


class ImportRowBody(TypedDict):
    email: NotRequired[Any]
    """The e-mail address of the member, of at most 254 characters."""
    level: NotRequired[Any]
    """The lowest level of the member, from 1 to 100, regardless of the points; without it, 1 for a new member and no
    change for a known one.
    """
    role: NotRequired[Any]
    """The role `moderator` or `member`; without it, `member` for a new member and no change for a known one."""
    points: NotRequired[Any]
    """The points that the person had in another system, from 0 to 1000000. They are paid once in a community, with
    the source `import` and `balance`; those of a pending member are kept until the member joins.
    """


class InstallmentCancelledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["installment.cancelled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: InstallmentPlan
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InstallmentFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["installment.failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: InstallmentPlan
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InstallmentPaidEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["installment.paid"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: InstallmentPlan
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InstallmentPlan(TypedDict):
    id: str
    """The id of the line of the order that is paid in parts."""
    object: Literal["installment_plan"]
    """The kind of this object."""
    order: OrderReference
    """The order of the line."""
    number: Optional[int]
    """The number of the part that was charged, from 1; null for a cancellation."""
    payment: Optional[PaymentReference]
    """The payment of the part; null when nothing was charged."""
    invoice: Optional[InvoiceReference]
    """The invoice of the part; null for a cancellation."""
    count: int
    """The number of all parts, with those that the checkout paid."""
    paid: int
    """The number of parts that are paid."""
    failed: int
    """The number of parts whose last charge has failed."""
    remaining_amount_cents: int
    """The amount that will still be charged, in cents; 0 after the end."""
    next_due_at: Optional[str]
    """The time of the next charge or retry; null when none follows."""
    status: Literal["active", "completed", "cancelled", "uncollectible"]
    """Whether parts are still charged (`active`), all are paid (`completed`), the later ones were cancelled
    (`cancelled`), or a part was not paid after the last retry (`uncollectible`).
    """


class Invite(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["invite"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    email: Optional[str]
    """The e-mail address of the invited person; null once the person is forgotten."""
    role: Literal["moderator", "member"]
    """The role that a new member gets."""
    level: int
    """The lowest level of the new member, regardless of the points."""
    message: Optional[str]
    """The text of the sender in the mail; null for none."""
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    """Whether the invite awaits an answer (`pending`), was `accepted` or `declined`, ended because a moderator
    withdrew it or the person joined, was removed or was banned (`revoked`), or is too old (`expired`).
    """
    invited_by: UserReference
    """The user who sent the current terms."""
    expires_at: str
    """The time from which the invite can no longer be answered."""
    created_at: str
    """The time at which this object was created."""
    responded_at: Optional[str]
    """The time at which the invited person accepted or declined, or null before that."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class InviteBody(TypedDict):
    email: str
    """The e-mail address of the person to invite."""
    role: NotRequired[Literal["moderator", "member"]]
    """The role that the new member gets, by default `member`; only the owner can invite a `moderator`."""
    level: NotRequired[int]
    """The lowest level of the new member, by default 1, regardless of the points."""
    message: NotRequired[Optional[str]]
    """The text of the sender in the mail; null for none."""
    expires_at: NotRequired[Optional[str]]
    """The time from which the invite can no longer be answered, in the future; null for 14 days from now."""


class Invoice(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["invoice"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    subtotal_amount_cents: int
    """The sum of all lines before discount and tax, in cents."""
    discount_amount_cents: int
    """The discount, in cents."""
    tax_amount_cents: int
    """The tax, in cents."""
    total_amount_cents: int
    """The amount that the buyer pays: subtotal less discount plus tax, in cents."""
    number: str
    """The year and a number that counts without gaps in the business and the mode."""
    status: Literal["open", "paid", "void", "uncollectible"]
    """Whether the invoice waits for its payment (`open`), is paid (`paid`), is no longer payable (`void`), or was
    not paid after the last retry (`uncollectible`).
    """
    kind: Literal["sale", "renewal"]
    """Whether the invoice is for a checkout (`sale`), or for a later period or part (`renewal`)."""
    buyer: InvoiceBuyer
    """The person who pays."""
    order: OrderReference
    """The order that is billed, or that started the subscription or the installments."""
    subscription: Optional[SubscriptionReference]
    """The subscription whose period is billed, or null."""
    payment: Optional[PaymentReference]
    """The payment that paid the invoice; null before that, and when nothing was due."""
    lines: List[InvoiceLine]
    """The products that are billed."""
    paid_amount_cents: int
    """The amount that was paid, in cents."""
    refunded_amount_cents: int
    """The amount that was refunded of it, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    issued_at: str
    """The time at which the invoice was issued."""
    due_at: str
    """The time at which the amount is due, the same as that of the issue."""
    paid_at: Optional[str]
    """The time at which the invoice was paid, or null before that."""
    voided_at: Optional[str]
    """The time at which the invoice was voided, or null before that."""


class InvoiceBuyer(TypedDict):
    """The person who pays."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class InvoiceIssuedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["invoice.issued"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invoice
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InvoiceLine(TypedDict):
    id: str
    """The id of the line, the same as in its order."""
    product: ProductReference
    """The product that is bought."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    quantity: int
    """How many are bought."""
    unit_amount_cents: int
    """The price of one, in cents."""
    amount_cents: int
    """The price of one times the quantity, less the discount, in cents."""
    name: str
    """The name of the product when it was billed."""
    discount_amount_cents: int
    """The discount on the line, in cents."""


class InvoicePaidEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["invoice.paid"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invoice
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InvoiceReference(TypedDict):
    object: Literal["invoice"]
    """The kind of this object."""
    id: str
    """The id of the invoice."""


class InvoiceUncollectibleEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["invoice.uncollectible"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invoice
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class InvoiceVoidedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["invoice.voided"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Invoice
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class LeaderboardItem(TypedDict):
    rank: int
    """The place of the member, from 1; members with equal points share a place."""
    user: LeaderboardItemUser
    """The user who is the member."""
    points: int
    """The points of the period, less those that were reversed."""
    level: int
    """The current level of the member, regardless of the period."""


class LeaderboardItemUser(TypedDict):
    """The user who is the member."""

    object: Literal["user"]
    """The kind of this object."""
    id: str
    """The id of the user."""
    email: Optional[str]
    """The e-mail address of the user; null for a plain member who sees another one, for a user without an address,
    and once the user is forgotten.
    """
    name: Optional[str]
    """The name of the user; null when it is unknown."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class LevelBody(TypedDict):
    level: int
    """The number of the level, higher than the one before."""
    points: int
    """The lowest balance of points with which a member has the level; 0 for the first level."""


class LibraryDownload(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["library_download"]
    """The kind of this object."""
    resource: LibraryResourceReference
    """The resource that was downloaded."""
    user: UserReference
    """The user who downloaded it."""
    download_url: str
    """The address of the file at the time of the download."""
    downloaded_at: str
    """The time of the download."""


class LibraryResource(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["library_resource"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    title: str
    """The title that members see."""
    description: Optional[str]
    """The text about the file; null for none."""
    file_url: Optional[str]
    """The address of the file; null for a member below the required level."""
    mime_type: Optional[str]
    """The media type of the file; null when it is unknown."""
    size_bytes: Optional[int]
    """The size of the file, in bytes; null when it is unknown."""
    required_level: int
    """The lowest level of a member who may download it; 0 admits all members."""
    download_count: int
    """The number of downloads, repeated ones included."""
    unique_download_count: int
    """The number of users who have downloaded the file."""
    created_by: UserReference
    """The user who created this object."""
    created_at: str
    """The time at which this object was created."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""


class LibraryResourceReference(TypedDict):
    object: Literal["library_resource"]
    """The kind of this object."""
    id: str
    """The id of the library resource."""


class LineItemReference(TypedDict):
    object: Literal["line_item"]
    """The kind of this object."""
    id: str
    """The id of the line item."""


class MemberImport(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["member_import"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    total: int
    """The number of rows in the request."""
    created: int
    """The number of rows that added a member, so far."""
    updated: int
    """The number of rows that changed a member, so far."""
    unchanged: int
    """The number of rows without an effect, so far."""
    failed: int
    """The number of invalid rows, so far."""
    results: List[MemberImportResult]
    """The results of the rows that are imported so far, in their order."""
    created_at: str
    """The time at which this object was created."""


class MemberImportResult(TypedDict):
    index: int
    """The place of the row in the request, from 0."""
    email: Optional[str]
    """The e-mail address of the row; null once the person is forgotten. A text that is no address is shown in the
    answer to the import alone, and is null later.
    """
    status: Literal["created", "updated", "unchanged", "failed"]
    """Whether the row added a member (`created`), changed one (`updated`), had no effect (`unchanged`), or is
    invalid (`failed`).
    """
    user_id: Optional[str]
    """The id of the user of the row; null for a failed row."""
    member_id: Optional[str]
    """The id of the member of the row; null for a failed row."""
    error: Optional[MemberImportResultError]
    """The reason for which the row failed; null for other rows."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class MemberImportResultError(TypedDict):
    """The reason for which the row failed; null for other rows."""

    code: str
    """The code of this error."""
    detail: str
    """The error in a sentence."""
    field: str
    """The path of the invalid field in the request."""


class Message(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["message"]
    """The kind of this object."""
    channel: ChannelReference
    """The channel that the message was sent to."""
    author: UserReference
    """The user who wrote this object."""
    content: Optional[str]
    """The text of the message; null for attachments alone, and once the message is deleted."""
    attachments: List[MessageAttachment]
    """The files and links of the message, as they were sent; empty once the message is deleted."""
    reply_to: Optional[MessageReference]
    """The message of the same channel that this message replies to, or null."""
    is_edited: bool
    """Whether the author has changed the message."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time of the latest edit; before one, of the creation."""
    deleted: bool
    """Whether the message is deleted; its replies stay."""
    deleted_at: Optional[str]
    """The time at which this object was deleted, or null before that."""
    deleted_by: Optional[UserReference]
    """The user who deleted the message, or null before that."""


class MessageAttachment(TypedDict):
    url: str
    """The address of the file or the page."""


class MessageReference(TypedDict):
    object: Literal["message"]
    """The kind of this object."""
    id: str
    """The id of the message."""


class MethodBody(TypedDict):
    token: str
    """The token of the new payment method at the gateway."""


class Offer(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["offer"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["draft", "sent", "accepted", "cancelled", "expired"]
    """Whether the offer is not sent yet (`draft`), can be accepted (`sent`), was bought (`accepted`), was withdrawn
    by the seller (`cancelled`), or was not accepted in time (`expired`).
    """
    product: ProductReference
    """The product that is offered."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    buyer: OfferBuyer
    """The person to whom the product is offered."""
    amount_cents: int
    """The price of one charge in cents, instead of that of the plan."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    message: Optional[str]
    """The text of the seller in the mail to the buyer, or null."""
    expires_at: str
    """The time at which the offer expires unless it is accepted."""
    sent_at: Optional[str]
    """The time at which the offer was sent first, or null before that."""
    last_sent_at: Optional[str]
    """The time at which the offer was sent last, or null before that."""
    sent_count: int
    """The number of times that the offer was sent."""
    accepted_at: Optional[str]
    """The time at which the order of the offer was completed, or null before that."""
    cancelled_at: Optional[str]
    """The time at which the seller cancelled the offer, or null before that."""
    order: Optional[OrderReference]
    """The order that bought the offer, or null before that."""
    accept_url: str
    """The link in the mail: a page of the shop, which creates a cart with this offer."""


class OfferAcceptedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["offer.accepted"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Offer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OfferBuyer(TypedDict):
    """The person to whom the product is offered."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class OfferCancelledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["offer.cancelled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Offer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OfferCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["offer.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Offer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OfferExpiredEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["offer.expired"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Offer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OfferReference(TypedDict):
    object: Literal["offer"]
    """The kind of this object."""
    id: str
    """The id of the offer."""


class OfferSentEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["offer.sent"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Offer
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OnboardingProgress(TypedDict):
    tasks: List[OnboardingProgressTask]
    """The current tasks of the community, in the order of their positions."""
    completed: int
    """The number of current tasks that the user has completed."""
    total: int
    """The number of current tasks of the community."""
    all_completed: bool
    """Whether the user has completed every current task."""


class OnboardingProgressTask(TypedDict):
    key: str
    """The key of the task."""
    status: Literal["open", "completed"]
    """Whether the user has completed the task (`completed`), or not yet (`open`)."""
    completed_at: Optional[str]
    """The time of the first completion, or null before that."""


class OnboardingTask(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["onboarding_task"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    key: str
    """The key that names the task in requests, unique among the current tasks of the community."""
    title: str
    """The title that members see."""
    description: Optional[str]
    """The text that explains the task; null for none."""
    position: int
    """The place of the task in a progress; the lowest comes first."""
    cp_reward: int
    """The points that a member receives once for completing it; 0 for none."""
    required: bool
    """Whether the community expects each member to complete the task; a progress counts it either way."""
    created_at: str
    """The time at which this object was created."""


class OnboardingTaskCompletion(TypedDict):
    object: Literal["onboarding_task_completion"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    user: UserReference
    """The user who completed the task."""
    task_key: str
    """The key of the task."""
    status: Literal["completed"]
    """Always `completed`."""
    completed_at: str
    """The time of the first completion."""
    points_awarded: int
    """The reward of the task at that time, in points; it is paid once."""
    progress: OnboardingTaskCompletionProgress
    """The tasks of the user in this community after the completion."""


class OnboardingTaskCompletionFacts(TypedDict):
    object: Literal["onboarding_task_completion"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    user: UserReference
    """The user who completed the task."""
    task_key: str
    """The key of the task."""
    status: Literal["completed"]
    """Always `completed`."""
    completed_at: str
    """The time of the first completion."""
    points_awarded: int
    """The reward of the task at that time, in points; it is paid once."""


class OnboardingTaskCompletionProgress(TypedDict):
    """The tasks of the user in this community after the completion."""

    completed: int
    """The number of current tasks that the user has completed."""
    total: int
    """The number of current tasks of the community."""
    all_completed: bool
    """Whether the user has completed every current task."""


class Order(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["order"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    subtotal_amount_cents: int
    """The sum of all lines before discount and tax, in cents."""
    discount_amount_cents: int
    """The discount, in cents."""
    tax_amount_cents: int
    """The tax, in cents."""
    total_amount_cents: int
    """The amount that the buyer pays: subtotal less discount plus tax, in cents."""
    status: Literal["pending", "completed", "failed", "cancelled"]
    """Whether the checkout is not finished (`pending`), has succeeded (`completed`), or its payment failed
    (`failed`). No order becomes `cancelled`.
    """
    livemode: bool
    """Whether its payments move money: false in test mode, and while the payments of live mode are simulated."""
    buyer: OrderBuyer
    """The person who bought."""
    line_items: List[OrderLineItem]
    """The products that were bought, as they were in the cart."""
    refunded_amount_cents: int
    """The amount that was refunded of all payments of the order, in cents."""
    refund_status: Literal["none", "partial", "full"]
    """Whether nothing (`none`), a part (`partial`) or all (`full`) of what was paid so far for the order, renewals
    and installments included, is refunded.
    """
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    payments: List[PaymentReference]
    """The newest 500 payments, renewals and installments included, oldest first."""
    installments: Optional[OrderInstallments]
    """The progress of all lines that are paid in installments; null for an order without any, and before it is
    completed.
    """
    invoice: Optional[InvoiceReference]
    """The invoice of the checkout; null before the order is completed."""
    offer: Optional[OfferReference]
    """The offer that was bought, or null."""
    cart: CartReference
    """The cart that was checked out."""
    metadata: Dict[str, Any]
    """The metadata of the cart at checkout."""
    external_reference: Optional[str]
    """The external reference of the cart at checkout, or null."""
    completed_at: Optional[str]
    """The time at which the order was completed, or null before that."""


class OrderBuyer(TypedDict):
    """The person who bought."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class OrderFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["order.failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Order
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class OrderInstallments(TypedDict):
    """The progress of all lines that are paid in installments; null for an order without any, and before it is
    completed.
    """

    count: int
    """The number of all parts, with those that the checkout paid."""
    paid: int
    """The number of parts that are paid."""
    failed: int
    """The number of parts whose last charge has failed."""
    remaining_amount_cents: int
    """The amount that will still be charged, in cents; 0 after the end."""
    next_due_at: Optional[str]
    """The time of the next charge or retry; null when none follows."""
    status: Literal["active", "completed", "cancelled", "uncollectible"]
    """Whether parts are still charged (`active`), all are paid (`completed`), the later ones were cancelled
    (`cancelled`), or a part was not paid after the last retry (`uncollectible`).
    """


class OrderLineItem(TypedDict):
    object: Literal["line_item"]
    """The kind of this object."""
    id: str
    """The id of the line, the same as in its invoices."""
    product: ProductReference
    """The product that is bought."""
    plan: PaymentPlanReference
    """The payment plan of the product by which it is bought."""
    quantity: int
    """How many are bought."""
    unit_amount_cents: int
    """The price of one, in cents."""
    amount_cents: int
    """The price of one times the quantity, less the discount, in cents."""
    kind: Literal["one_time", "subscription", "installment"]
    """Whether the line is charged once (`one_time`), as a subscription (`subscription`), or in parts
    (`installment`).
    """
    name: str
    """The name of the product when it was put into the cart."""
    discount_amount_cents: int
    """The discount on the line, in cents."""
    tax_amount_cents: int
    """The tax on the line, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    subscription: NotRequired[SubscriptionReference]
    """The subscription that the line started; left out on other lines, and before the order is completed."""


class OrderReference(TypedDict):
    object: Literal["order"]
    """The kind of this object."""
    id: str
    """The id of the order."""


class PagePagination(TypedDict):
    total_pages: int
    """The number of pages; 1 for an empty list."""
    current_page: int
    """The number of this page, from 1."""
    per_page: int
    """The number of items on a full page."""
    total_count: int
    """The number of items on all pages."""


class PauseBody(TypedDict):
    resumes_at: NotRequired[Optional[str]]
    """The time at which the subscription resumes by itself; null for none."""
    reason: NotRequired[Optional[str]]
    """The reason of the pause, which is recorded; null for none."""


class Payment(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["payment"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["pending", "succeeded", "failed"]
    """Whether the result is not known yet (`pending`), the buyer has paid (`succeeded`), or the charge was refused
    (`failed`).
    """
    refund_status: Literal["none", "partial", "full"]
    """Whether nothing (`none`), a part (`partial`) or all (`full`) of the payment is refunded."""
    kind: Literal["initial", "renewal", "installment"]
    """Whether the payment is for a checkout (`initial`), a later period of a subscription (`renewal`), or a later
    part of installments (`installment`).
    """
    order: OrderReference
    """The order that is paid, or that started the subscription or the installments."""
    subscription: Optional[SubscriptionReference]
    """The subscription whose period is paid; null for a payment of another kind."""
    invoice: Optional[InvoiceReference]
    """The invoice that is paid; null for a checkout until its payment succeeds."""
    buyer: PaymentBuyer
    """The person who pays."""
    amount_cents: int
    """The amount that the buyer is charged, in cents."""
    refunded_amount_cents: int
    """The amount that was refunded, in cents."""
    refundable_amount_cents: int
    """The amount that can still be refunded, in cents: all of it less the refunds that succeeded or are pending and
    the disputes that are open or lost; 0 until the payment succeeds.
    """
    fee_cents: int
    """The fee of the platform, in cents; 0 until the payment succeeds. A refund does not return it."""
    net_amount_cents: int
    """The amount less the fee, in cents; 0 until the payment succeeds."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    method: Optional[PaymentMethod]
    """The payment method that was charged; null while it is not known."""
    gateway: str
    """The payment gateway: `stripe`, or `simulated`, which moves no money."""
    gateway_reference: Optional[str]
    """The id of the charge at the gateway; null until the payment succeeds."""
    failure: Optional[PaymentFailure]
    """The reason of a failed payment, or null."""
    cash_flow_at: Optional[str]
    """The time at which the funds were released to the seller, or null before that."""


class PaymentBuyer(TypedDict):
    """The person who pays."""

    object: Literal["buyer"]
    """The kind of this object."""
    id: str
    """The id of the buyer, the same for all purchases with the same e-mail address, until the buyer is forgotten."""
    email: Optional[str]
    """The e-mail address of the buyer; null once the buyer is forgotten."""
    name: Optional[str]
    """The name of the buyer; null when it is unknown or forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class PaymentFailure(TypedDict):
    """The reason of a failed payment, or null."""

    code: str
    """The code of the reason, from the gateway."""
    detail: str
    """The reason in a sentence."""


class PaymentFundsAvailableEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.funds_available"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Payment
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PaymentMethod(TypedDict):
    """The payment method that was charged; null while it is not known."""

    type: str
    """The type of the payment method."""
    brand: Optional[str]
    """The brand of the card, or null."""
    last4: Optional[str]
    """The last four digits of the card, or null."""


class PaymentMethodBody(TypedDict):
    token: str
    """The token of the payment method at the gateway."""


class PaymentPlanReference(TypedDict):
    object: Literal["payment_plan"]
    """The kind of this object."""
    id: str
    """The id of the payment plan."""


class PaymentReference(TypedDict):
    object: Literal["payment"]
    """The kind of this object."""
    id: str
    """The id of the payment."""


class PaymentRefundFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.refund.failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Refund
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PaymentRefundPendingEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.refund.pending"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Refund
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PaymentRefundSucceededEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.refund.succeeded"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Refund
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PaymentSaleFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.sale.failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Payment
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PaymentSaleSucceededEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payment.sale.succeeded"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Payment
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class Payout(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["payout"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["paid"]
    """Always `paid`."""
    amount_cents: int
    """The amount that the seller is paid, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""


class PayoutBody(TypedDict):
    amount_cents: int
    """The amount to pay the seller in cents, at most the balance in the currency."""
    currency: str
    """The currency of the balance."""


class PayoutPaidEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["payout.paid"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Payout
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PersonalData(TypedDict):
    object: Literal["personal_data"]
    """The kind of this object."""
    business: BusinessReference
    """The business that holds the data."""
    buyer: Buyer
    """The buyer."""
    carts: List[Cart]
    """The newest 1,000 carts of the buyer."""
    offers: List[Offer]
    """The newest 1,000 offers of the buyer."""
    orders: List[Order]
    """The newest 1,000 orders of the buyer."""
    payments: List[Payment]
    """The newest 1,000 payments of the buyer."""
    invoices: List[Invoice]
    """The newest 1,000 invoices of the buyer."""
    refunds: List[Refund]
    """The newest 1,000 refunds of the buyer."""
    disputes: List[Dispute]
    """The newest 1,000 disputes of the payments of the buyer."""
    subscriptions: List[Subscription]
    """The subscriptions that these orders started."""
    complete: bool
    """Whether the lists have everything: false when one of them holds 1,000."""


class PlanBody(TypedDict):
    kind: Literal["one_time", "subscription", "installment"]
    """Whether the plan is charged once (`one_time`), at each interval until it ends (`subscription`), or in a fixed
    number of parts (`installment`).
    """
    amount_cents: int
    """The price of one charge in cents: the whole price, that of one period, or that of one part."""
    currency: str
    """The currency of the price, which must be in use as money."""
    name: NotRequired[Optional[str]]
    """The name by which buyers distinguish the plan; null for none."""
    interval: NotRequired[Literal["day", "week", "month", "year", None]]
    """The unit of the time between two charges; null for a plan that is charged once, and required for every other."""
    interval_count: NotRequired[Optional[int]]
    """The number of intervals between two charges, 1 by default; only 1 or null for a plan that is charged once."""
    installments_count: NotRequired[Optional[int]]
    """The number of parts, with the one at checkout; required for a plan in parts, and null for every other."""


class PointsAward(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["points_award"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    user: PointsAwardUser
    """The user whose ledger has this entry."""
    points: int
    """The points of the entry; negative for a reversal, or 0 when nothing was left to take."""
    source_type: str
    """The kind of the source, as it was sent; `manual` without a source, `challenge` or `onboarding_task` for a
    reward, `reversal` for a reversal.
    """
    source_id: Optional[str]
    """The id of the source, which pays a member once; the id of the award for a reversal, and null without a source."""
    balance: int
    """The balance of the member after the entry."""
    level: int
    """The level of the member after the entry."""
    leveled_up: bool
    """Whether the entry gave the member a higher level."""
    duplicate: bool
    """Whether the response repeats an earlier entry; true only for a repeated award or reversal."""
    created_at: str
    """The time at which this object was created."""


class PointsAwardUser(TypedDict):
    """The user whose ledger has this entry."""

    object: Literal["user"]
    """The kind of this object."""
    id: str
    """The id of the user."""
    email: Optional[str]
    """The e-mail address of the user; null for a user without an address, and once the user is forgotten."""
    erased: NotRequired[bool]
    """True once the person is forgotten; left out before."""


class Post(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["post"]
    """The kind of this object."""
    community: CommunityReference
    """The community that this object belongs to."""
    author: UserReference
    """The user who wrote this object."""
    content: Optional[str]
    """The text of the post; null for none, and when the post is locked or deleted."""
    attachments: Optional[List[PostAttachment]]
    """The files and links of the post, as they were sent; null when the post is locked or deleted."""
    metadata: Dict[str, Any]
    """The values that the author stored with the post; empty when the post is locked or deleted."""
    required_level: int
    """The lowest level of a member who may read, like and comment on the post; 0 admits all members."""
    locked: bool
    """Whether the level of the viewer is too low to read the post."""
    video_url: Optional[str]
    """The address of a video; null for none, and when the post is locked or deleted."""
    like_count: int
    """The number of users who like the post."""
    comment_count: int
    """The number of comments that are not deleted."""
    is_edited: bool
    """Whether the author has changed the post."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time of the latest edit; before one, of the creation."""
    deleted_at: Optional[str]
    """The time at which the post was deleted; null before that, and once it is restored."""


class PostAttachment(TypedDict):
    url: str
    """The address of the file or the page."""


class PostLike(TypedDict):
    object: Literal["post_like"]
    """The kind of this object."""
    post: PostReference
    """The post that is liked."""
    user: UserReference
    """The user who likes the post, or no longer does."""
    liked: bool
    """Whether the user likes the post."""
    changed_at: str
    """The time at which the user liked the post, or stopped to."""


class PostReference(TypedDict):
    object: Literal["post"]
    """The kind of this object."""
    id: str
    """The id of the post."""


class Problem(TypedDict):
    type: str
    """The page that explains the code."""
    title: str
    """The problem in general."""
    status: int
    """The HTTP status of the response."""
    code: ProblemCode
    """The stable code of the problem; a program decides by it."""
    errors: List[ProblemError]
    """Each single error, with its place."""
    detail: str
    """This problem in a sentence."""
    request_id: str
    """The id of the request, to name it to the support."""


class ProblemError(TypedDict):
    code: str
    """The code of this error."""
    detail: str
    """The error in a sentence."""
    param: NotRequired[str]
    """The path of the invalid field or parameter; left out when the error has no place."""


class Product(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["product"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    name: str
    """The name of the product."""
    description: Optional[str]
    """The text about the product, or null."""
    plans: List[ProductPlan]
    """The plans by which the product is sold, in the order in which they were added; a buyer sees only the active
    ones.
    """
    images: List[ProductImage]
    """The images of the product, in the order in which they were added."""
    status: Literal["active", "inactive"]
    """Whether the product is on sale once it is approved (`active`) or not (`inactive`). The seller sets it; the
    service makes it inactive when the product changes before its approval, or is denied after one.
    """
    approval_status: Literal["review", "denied", "denied_changed", "approved"]
    """Whether the product waits for a review (`review`), was denied (`denied`), was denied after an earlier approval
    (`denied_changed`), or can be sold (`approved`).
    """
    approval_note: Optional[str]
    """The reason of the last denial; null before one, and after an approval."""
    reviewed_at: Optional[str]
    """The time of the last approval or denial, or null before that."""
    revision: int
    """The number of the version of the product; each new file and each edit of more than the metadata raises it."""
    reviewed_revision: Optional[int]
    """The revision that was last approved or denied, or null before that."""
    attachments: List[ProductAttachment]
    """The files of the product, in the order in which they were added; a buyer does not see them."""
    metadata: Dict[str, Any]
    """The values that the seller stored with the product."""
    external_reference: Optional[str]
    """The id of the product in another system, or null."""
    updated_at: str
    """The time at which the product last changed."""


class ProductApprovedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["product.approved"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Product
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ProductAttachment(TypedDict):
    id: str
    """The id of the attachment."""
    url: str
    """The address of the file; the service stores no file."""
    name: Optional[str]
    """The name of the file that readers see, or null."""


class ProductDeniedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["product.denied"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Product
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ProductImage(TypedDict):
    id: str
    """The id of the image."""
    url: str
    """The address of the image; the service stores no file."""
    alt: Optional[str]
    """The text that describes the image, or null."""


class ProductPlan(TypedDict):
    object: Literal["payment_plan"]
    """The kind of this object."""
    id: str
    """The id of the plan."""
    kind: Literal["one_time", "subscription", "installment"]
    """Whether the plan is charged once (`one_time`), at each interval until it ends (`subscription`), or in a fixed
    number of parts (`installment`).
    """
    name: Optional[str]
    """The name by which buyers distinguish the plan, or null."""
    amount_cents: int
    """The price of one charge in cents: the whole price, that of one period, or that of one part."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    interval: Literal["day", "week", "month", "year", None]
    """The unit of the time between two charges; null for a plan that is charged once."""
    interval_count: int
    """The number of intervals between two charges; 1 for a plan that is charged once."""
    installments_count: Optional[int]
    """The number of parts, with the one at checkout; null for a plan of another kind."""
    status: Literal["active", "archived"]
    """Whether the plan can be bought (`active`), or only continues where it was bought before (`archived`)."""


class ProductReference(TypedDict):
    object: Literal["product"]
    """The kind of this object."""
    id: str
    """The id of the product."""


class ProductReviewRequestedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["product.review_requested"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Product
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class ProductUpdatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["product.updated"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Product
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class PublicCommunity(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["community"]
    """The kind of this object."""
    name: str
    """The name that members see."""
    description: Optional[str]
    """The text about the community; null for none."""
    cover_image_url: Optional[str]
    """The address of the cover image; null for none."""
    tier: Literal["free", "paid"]
    """Whether users join for nothing (`free`), or must buy the product first (`paid`)."""
    status: Literal["active", "archived"]
    """Whether the community can be changed (`active`), or only read, left and cleaned up (`archived`)."""
    product: Optional[ProductReference]
    """The product that gives access to a paid community; null for a free one, and for a paid one before it has a
    product.
    """
    member_count: int
    """The number of active members, the owner included."""
    created_at: str
    """The time at which this object was created."""


class PublicEvent(TypedDict):
    id: str
    """The id of the event, the same in all of its deliveries."""
    object: Literal["event"]
    """The kind of this object."""
    type: str
    """The type of the event, from the list of event types."""
    version: str
    """The version of the schema of `data`."""
    occurred_at: str
    """The time at which the service recorded the event."""
    sequence: int
    """The number of the event in the history of its resource, from 1; the greater one is the later state. It is 0
    for an old event without a number.
    """
    data: Dict[str, Any]
    """The resource as it was after the event, in the form of the schema of the type."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class Refund(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["refund"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["pending", "succeeded", "failed"]
    """Whether the result is not known yet (`pending`), the buyer has the money (`succeeded`), or the gateway refused
    or reversed the refund (`failed`).
    """
    payment: PaymentReference
    """The payment that is refunded."""
    order: OrderReference
    """The order of the payment."""
    subscription: Optional[SubscriptionReference]
    """The subscription of the payment, or null."""
    amount_cents: int
    """The amount that the buyer gets back, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    reason: Literal["duplicate", "fraudulent", "requested_by_customer", "service_issue", "other", None]
    """The reason that the seller chose, or null."""
    note: Optional[str]
    """The text of the seller about the refund, or null."""
    failure: Optional[RefundFailure]
    """The reason of a failed refund, or null."""
    processed_at: Optional[str]
    """The time at which the refund succeeded or failed, or null before that."""


class RefundBody(TypedDict):
    amount_cents: NotRequired[Optional[int]]
    """The amount that the buyer gets back, in cents; null for all that remains."""
    currency: NotRequired[Optional[str]]
    """The currency of the payment; null stands for it, and another one is refused."""
    reason: NotRequired[Literal["duplicate", "fraudulent", "requested_by_customer", "service_issue", "other", None]]
    """The reason of the refund; null for none."""
    note: NotRequired[Optional[str]]
    """A text about the refund, for the seller; null for none."""


class RefundFailure(TypedDict):
    """The reason of a failed refund, or null."""

    code: str
    """The code of the reason, from the gateway."""
    detail: str
    """The reason in a sentence."""


class ReplayForecast(TypedDict):
    id: Optional[str]
    """Always null: a dry run stores no job."""
    status: Optional[str]
    """Always null: a dry run stores no job."""
    object: Literal["replay_job"]
    """The kind of this object."""
    scope: Literal["failed", "succeeded", "all", "never_planned"]
    """Which events are sent: those without a success (`failed`), with one (`succeeded`), both (`all`), or those for
    which the endpoint has no delivery (`never_planned`).
    """
    created_from: str
    """The start of the time window (inclusive), in which the last delivery of a chain must be, or the event of a
    chain without a delivery.
    """
    created_to: str
    """The end of the time window (inclusive)."""
    endpoint_id: Optional[str]
    """The endpoint whose delivery chains are selected; null for all endpoints of the business."""
    event_types: List[str]
    """The types of the selected events; an empty list selects every type."""
    statuses: List[Literal["failed", "abandoned"]]
    """The statuses of the last deliveries of the selected chains; an empty list for a scope other than `failed`."""
    include_missed: bool
    """Whether events are selected for which no attempt was made, because their endpoint was disabled."""
    matched: int
    """The number of delivery chains that a job would select now."""
    matched_by_type: Dict[str, int]
    """The same number for each event type; a type without a selected delivery chain is left out."""
    redelivered: int
    """The number of delivery chains that the job has sent again; in a dry run, would send again."""
    succeeded: int
    """The number of these attempts with a 2xx; 0 in a dry run."""
    failed: int
    """The number of these attempts without a 2xx; 0 in a dry run."""
    skipped: int
    """The number of selected delivery chains that are not sent again."""
    skipped_reasons: ReplayForecastSkippedReasons
    """The skipped delivery chains by reason; a reason that did not occur is left out."""
    created_at: Optional[str]
    """Always null: a dry run stores no job."""
    started_at: Optional[str]
    """Always null: a dry run stores no job."""
    completed_at: Optional[str]
    """Always null: a dry run stores no job."""
    cancelled_at: Optional[str]
    """Always null: a dry run stores no job."""
    error: Optional[str]
    """Always null: a dry run stores no job."""


class ReplayForecastSkippedReasons(TypedDict):
    """The skipped delivery chains by reason; a reason that did not occur is left out."""

    changed: NotRequired[int]
    """The number of delivery chains with another attempt since the selection, or in another replay job."""
    endpoint_disabled: NotRequired[int]
    """The number of delivery chains whose endpoint is disabled or deleted."""
    expired: NotRequired[int]
    """The number of delivery chains whose event was older than 30 days; only in jobs of earlier versions."""
    attempts_exhausted: NotRequired[int]
    """The number of delivery chains without an attempt left."""
    cancelled: NotRequired[int]
    """The number of delivery chains that were not sent before the job was cancelled or failed."""


class ReplayJob(TypedDict):
    id: str
    """The id of this object; it never changes."""
    status: Literal["pending", "running", "completed", "failed", "cancelling", "cancelled"]
    """Whether the job waits for its selection (`pending`), sends (`running`), stops (`cancelling`) or has ended
    (`completed`, `failed` or `cancelled`).
    """
    object: Literal["replay_job"]
    """The kind of this object."""
    scope: Literal["failed", "succeeded", "all", "never_planned"]
    """Which events are sent: those without a success (`failed`), with one (`succeeded`), both (`all`), or those for
    which the endpoint has no delivery (`never_planned`).
    """
    created_from: str
    """The start of the time window (inclusive), in which the last delivery of a chain must be, or the event of a
    chain without a delivery.
    """
    created_to: str
    """The end of the time window (inclusive)."""
    endpoint_id: Optional[str]
    """The endpoint whose delivery chains are selected; null for all endpoints of the business."""
    event_types: List[str]
    """The types of the selected events; an empty list selects every type."""
    statuses: List[Literal["failed", "abandoned"]]
    """The statuses of the last deliveries of the selected chains; an empty list for a scope other than `failed`."""
    include_missed: bool
    """Whether events are selected for which no attempt was made, because their endpoint was disabled."""
    matched: Optional[int]
    """The number of selected delivery chains, or null before the job starts. It grows while a `never_planned` job
    runs.
    """
    redelivered: int
    """The number of delivery chains that the job has sent again; in a dry run, would send again."""
    succeeded: int
    """The number of these attempts with a 2xx; 0 in a dry run."""
    failed: int
    """The number of these attempts without a 2xx; 0 in a dry run."""
    skipped: int
    """The number of selected delivery chains that are not sent again."""
    skipped_reasons: ReplayJobSkippedReasons
    """The skipped delivery chains by reason; a reason that did not occur is left out."""
    created_at: str
    """The time at which this object was created."""
    started_at: Optional[str]
    """The time at which the job made its selection, or null before that."""
    completed_at: Optional[str]
    """The time at which every selected delivery chain was sent again or skipped, or null before that."""
    cancelled_at: Optional[str]
    """The time at which the job ended because of a cancellation, or null before that."""
    error: Literal["window_too_large", "service_failure", "endpoint_disabled", None]
    """Why the job failed: more than 100,000 delivery chains matched (`window_too_large`), its work failed repeatedly
    (`service_failure`), or the endpoint of a `never_planned` job was disabled or deleted (`endpoint_disabled`).
    It is null otherwise.
    """


class ReplayJobReference(TypedDict):
    object: Literal["replay_job"]
    """The kind of this object."""
    id: str
    """The id of the replay job."""


class ReplayJobSkippedReasons(TypedDict):
    """The skipped delivery chains by reason; a reason that did not occur is left out."""

    changed: NotRequired[int]
    """The number of delivery chains with another attempt since the selection, or in another replay job."""
    endpoint_disabled: NotRequired[int]
    """The number of delivery chains whose endpoint is disabled or deleted."""
    expired: NotRequired[int]
    """The number of delivery chains whose event was older than 30 days; only in jobs of earlier versions."""
    attempts_exhausted: NotRequired[int]
    """The number of delivery chains without an attempt left."""
    cancelled: NotRequired[int]
    """The number of delivery chains that were not sent before the job was cancelled or failed."""


class RequestReplayJobBody(TypedDict):
    scope: NotRequired[Literal["failed", "succeeded", "all", "never_planned"]]
    """Which events to send: those without a success (`failed`, the default), with one (`succeeded`), both (`all`),
    or those for which the endpoint has no delivery (`never_planned`), because it did not exist, was disabled or
    did not subscribe to their type then. `never_planned` needs `endpoint_id`.
    """
    created_from: str
    """The start of the time window (inclusive). It may be before the first event."""
    created_to: NotRequired[str]
    """The end of the time window (inclusive); the default is now. A date means the end of that day (UTC)."""
    endpoint_id: NotRequired[Optional[str]]
    """The endpoint whose delivery chains are selected; null selects those of all endpoints of the business."""
    event_types: NotRequired[List[WebhooksEventType]]
    """The types of the selected events; `community.*` selects all types that begin so, and the default is every
    type.
    """
    statuses: NotRequired[List[Literal["failed", "abandoned"]]]
    """The statuses of the last deliveries of the selected chains, only for the scope `failed`; the default is both."""
    include_missed: NotRequired[bool]
    """Whether to select also events for which no attempt was made, because their endpoint was disabled; only for the
    scopes `failed` and `all`. The default is false.
    """
    dry_run: NotRequired[bool]
    """Whether to return only what the job would do, and to store and send nothing. The default is false."""


class ReversePointsBody(TypedDict):
    reason: str
    """The reason for the reversal, which the change history keeps."""


class RotateApiKeyBody(TypedDict):
    overlap_seconds: int
    """The time for which the old key still works, in seconds; 0 ends it at once."""


class SendMessageBody(TypedDict):
    content: NotRequired[Optional[str]]
    """The text of the message; null with attachments alone."""
    attachments: NotRequired[Optional[List[AttachmentFields]]]
    """The files and links of the message; null for none with a text. Further keys of an attachment are kept."""
    reply_to: NotRequired[Optional[str]]
    """The id of the message of the same channel that this message replies to, or null."""


class SendTestEventBody(TypedDict):
    event_type: NotRequired[WebhookEventType]
    """The type whose example is sent; the default is `webhook.test`."""


class SetTestClockBody(TypedDict):
    now: str
    """A time in the future of the clock, at most 100 years after today, and by which no subscription renews more
    than 1,000 times.
    """


class Subscription(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["subscription"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["active", "past_due", "paused", "cancelled"]
    """Whether the subscription is charged (`active`), waits for a retry after a failed charge (`past_due`), is not
    charged for a time (`paused`), or has ended (`cancelled`).
    """
    order: OrderReference
    """The order that started the subscription."""
    line_item: LineItemReference
    """The line of the order that started the subscription."""
    plan: SubscriptionPlan
    """The payment plan that is billed."""
    amount_cents: int
    """The price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    next_billing_at: Optional[str]
    """The time of the next charge or retry; null when none is planned, as in a paused subscription."""
    paused_at: Optional[str]
    """The time of the pause; null while the subscription is not paused."""
    resumes_at: Optional[str]
    """The time at which a paused subscription resumes by itself, or null."""
    cancel_at: Optional[str]
    """The time of the scheduled or past end; null when no end is scheduled."""
    cancelled_at: Optional[str]
    """The time at which the subscription ended, or null before that."""
    cancellation_reason: Optional[str]
    """The reason that the cancellation gave, or `payment_failed` after the last retry; null for none."""
    pending_change: Optional[SubscriptionPendingChange]
    """The plan or price that the next renewal is to apply, or null."""


class SubscriptionCancellationRevokedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.cancellation_revoked"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionCancellationScheduledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.cancellation_scheduled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionCancelledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.cancelled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


SubscriptionChange = TypedDict("SubscriptionChange", {
    "id": "str",
    "object": "Literal[\"subscription_change\"]",
    "type": "Literal[\"plan\", \"price\"]",
    "status": "Literal[\"pending\", \"applied\", \"superseded\", \"withdrawn\", \"failed\"]",
    "from": "SubscriptionChangeFrom",
    "to": "SubscriptionChangeTo",
    "created_at": "str",
    "effective_at": "Optional[str]",
    "effective_confirmed_at": "Optional[str]",
    "confirmed_by": "Optional[SubscriptionChangeConfirmedBy]",
    "superseded_by": "Optional[SubscriptionChangeReference]",
    "requested_by": "SubscriptionChangeRequestedBy",
    "failure": "NotRequired[SubscriptionChangeFailure]",
})


class SubscriptionChangeConfirmedBy(TypedDict):
    """The payment of the first period on the new terms, or the invoice of zero for a free plan; null before that."""

    object: Literal["payment", "invoice"]
    """The kind of this object."""
    id: str
    """The id of the payment or the invoice."""


class SubscriptionChangeFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.change_failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionChangeFailure(TypedDict):
    """The reason of a failed change; left out on every other."""

    code: str
    """The code of the reason: `plan_not_available` for an archived plan, or `payment_failed` after the last retry."""
    detail: str
    """The reason in a sentence."""
    failed_at: str
    """The time of the failure."""


class SubscriptionChangeFrom(TypedDict):
    """The terms before the change."""

    plan: SubscriptionChangeFromPlan
    """The payment plan."""
    amount_cents: int
    """The price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    interval: Literal["day", "week", "month", "year"]
    """The unit of the time between two charges."""
    interval_count: int
    """The number of intervals between two charges."""


class SubscriptionChangeFromPlan(TypedDict):
    """The payment plan."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionChangeReference(TypedDict):
    object: Literal["subscription_change"]
    """The kind of this object."""
    id: str
    """The id of the subscription change."""


class SubscriptionChangeRequestedBy(TypedDict):
    """The caller who requested the change."""

    type: Literal["api_key", "user", "system"]
    """Whether a key (`api_key`), a session (`user`) or the service itself (`system`) requested the change."""
    id: str
    """The id of the key, of the user, or of the part of the service."""


class SubscriptionChangeScheduledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.change_scheduled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionChangeSupersededEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.change_superseded"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionChangeTo(TypedDict):
    """The terms after the change."""

    plan: SubscriptionChangeToPlan
    """The payment plan."""
    amount_cents: int
    """The price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    interval: Literal["day", "week", "month", "year"]
    """The unit of the time between two charges."""
    interval_count: int
    """The number of intervals between two charges."""


class SubscriptionChangeToPlan(TypedDict):
    """The payment plan."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionChangeWithdrawnEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.change_withdrawn"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionCreatedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.created"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionPastDueEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.past_due"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionPausedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.paused"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionPaymentMethodChangedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.payment_method_changed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionPendingChange(TypedDict):
    """The plan or price that the next renewal is to apply, or null."""

    id: str
    """The id of the change."""
    type: Literal["plan", "price"]
    """Whether the plan and its price change (`plan`), or the price alone (`price`)."""
    plan: Optional[SubscriptionPendingChangePlan]
    """The next payment plan; null for a change of the price."""
    amount_cents: int
    """The next price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    effective_at: Optional[str]
    """The time of the renewal that is to apply the change; null while the subscription is paused."""
    created_at: str
    """The time at which the change was requested."""


class SubscriptionPendingChangePlan(TypedDict):
    """The next payment plan; null for a change of the price."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionPlan(TypedDict):
    """The payment plan that is billed."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionPlanChangedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.plan_changed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: SubscriptionWithOldPlan
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionPriceChangedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.price_changed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionReference(TypedDict):
    object: Literal["subscription"]
    """The kind of this object."""
    id: str
    """The id of the subscription."""


class SubscriptionRenewalFailedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.renewal_failed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionRenewedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.renewed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionResumedEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["subscription.resumed"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: Subscription
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class SubscriptionWithOldPlan(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["subscription"]
    """The kind of this object."""
    business: BusinessReference
    """The business that this object belongs to."""
    created_at: str
    """The time at which this object was created."""
    status: Literal["active", "past_due", "paused", "cancelled"]
    """Whether the subscription is charged (`active`), waits for a retry after a failed charge (`past_due`), is not
    charged for a time (`paused`), or has ended (`cancelled`).
    """
    order: OrderReference
    """The order that started the subscription."""
    line_item: LineItemReference
    """The line of the order that started the subscription."""
    plan: SubscriptionWithOldPlanPlan
    """The payment plan that is billed."""
    amount_cents: int
    """The price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    next_billing_at: Optional[str]
    """The time of the next charge or retry; null when none is planned, as in a paused subscription."""
    paused_at: Optional[str]
    """The time of the pause; null while the subscription is not paused."""
    resumes_at: Optional[str]
    """The time at which a paused subscription resumes by itself, or null."""
    cancel_at: Optional[str]
    """The time of the scheduled or past end; null when no end is scheduled."""
    cancelled_at: Optional[str]
    """The time at which the subscription ended, or null before that."""
    cancellation_reason: Optional[str]
    """The reason that the cancellation gave, or `payment_failed` after the last retry; null for none."""
    pending_change: Optional[SubscriptionWithOldPlanPendingChange]
    """The plan or price that the next renewal is to apply, or null."""
    old_plan: Optional[SubscriptionWithOldPlanOldPlan]
    """The payment plan before the change; null when it is unknown."""


class SubscriptionWithOldPlanOldPlan(TypedDict):
    """The payment plan before the change; null when it is unknown."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionWithOldPlanPendingChange(TypedDict):
    """The plan or price that the next renewal is to apply, or null."""

    id: str
    """The id of the change."""
    type: Literal["plan", "price"]
    """Whether the plan and its price change (`plan`), or the price alone (`price`)."""
    plan: Optional[SubscriptionWithOldPlanPendingChangePlan]
    """The next payment plan; null for a change of the price."""
    amount_cents: int
    """The next price of one period before the discount, in cents."""
    currency: str
    """The currency, as an ISO 4217 code; amounts in cents are in its smallest unit."""
    effective_at: Optional[str]
    """The time of the renewal that is to apply the change; null while the subscription is paused."""
    created_at: str
    """The time at which the change was requested."""


class SubscriptionWithOldPlanPendingChangePlan(TypedDict):
    """The next payment plan; null for a change of the price."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class SubscriptionWithOldPlanPlan(TypedDict):
    """The payment plan that is billed."""

    object: Literal["payment_plan"]
    """The kind of this object."""
    id: Optional[str]
    """The id of the payment plan; null when it is unknown."""


class TestClock(TypedDict):
    object: Literal["test_clock"]
    """The kind of this object."""
    now: str
    """The time that the clock has reached; real time until it is set for the first time."""
    target: Optional[str]
    """The time to which the clock advances; null when it is ready."""
    frozen: bool
    """Whether the clock stands still: false until it is set for the first time."""
    status: Literal["ready", "advancing"]
    """Whether the clock can be set (`ready`), or is still running what falls due (`advancing`)."""


class TestEventResult(TypedDict):
    delivery_id: str
    """The id of the delivery, which is the record of the attempt."""
    duration_ms: int
    """The duration of the attempt up to the end of the response, in ms; 0 when nothing was sent or the outcome is
    unknown.
    """
    response_status: int
    """The HTTP status of the response; 0 without a response."""
    status: Literal["success", "failed"]
    """`success` after a 2xx, and `failed` after any other outcome."""
    failure: Optional[TestEventResultFailure]
    """Why the attempt failed; null after a success."""


class TestEventResultFailure(TypedDict):
    """Why the attempt failed; null after a success."""

    reason: TestEventResultFailureReason
    """The kind of failure: a response other than 2xx, an error of the connection, an address that is not public
    (`blocked_address`), or an event that was not sent or has an unknown outcome (`lost`).
    """
    detail: str
    """The failure in a sentence, for people."""


class TransferCommunityBody(TypedDict):
    user_id: str
    """The id of the user who becomes the owner, an active member."""


class UserReference(TypedDict):
    object: Literal["user"]
    """The kind of this object."""
    id: str
    """The id of the user."""


class WebhookDelivery(TypedDict):
    id: str
    """The id of this delivery, which is the record of one attempt."""
    object: Literal["webhook_delivery"]
    """The kind of this object."""
    endpoint: WebhookEndpointReference
    """The endpoint to which the event was sent."""
    event_id: str
    """The id of the public event, the same in all of its deliveries."""
    event_type: str
    """The type of the public event."""
    event_version: str
    """The version of the schema of the data of the event."""
    status: Literal["success", "failed", "abandoned"]
    """`success` after a 2xx, and `failed` after any other outcome. A failed delivery becomes `abandoned` when the
    next automatic attempt is dropped or none is left.
    """
    response_status: Optional[int]
    """The HTTP status of the response; null without a response."""
    attempt: int
    """The number of this attempt to deliver the event to the endpoint, from 1."""
    max_attempts: int
    """The most attempts to deliver the event to the endpoint, including replays."""
    duration_ms: Optional[int]
    """The duration of the attempt up to the end of the response, in ms; null when nothing was sent or the outcome is
    unknown.
    """
    test: bool
    """Whether the event is a test event."""
    delivered_at: Optional[str]
    """The time of the 2xx; null after any other outcome."""
    created_at: str
    """The time at which the attempt started."""
    replayed_from: Optional[str]
    """The id of the delivery that this attempt replays; null when it is not a replay."""
    replay_job: Optional[ReplayJobReference]
    """The replay job that started this attempt, or null."""
    failure: Optional[WebhookDeliveryFailure]
    """Why the attempt failed; null after a success."""


class WebhookDeliveryAttempts(TypedDict):
    attempts: List[WebhookDeliveryAttemptsAttempt]
    """All ended attempts to deliver the event to the endpoint, in their order."""
    next_attempt_at: Optional[str]
    """The time at which the next automatic attempt is due; null when none follows."""


class WebhookDeliveryAttemptsAttempt(TypedDict):
    id: str
    """The id of this delivery, which is the record of one attempt."""
    object: Literal["webhook_delivery"]
    """The kind of this object."""
    endpoint: WebhookEndpointReference
    """The endpoint to which the event was sent."""
    event_id: str
    """The id of the public event, the same in all of its deliveries."""
    event_type: str
    """The type of the public event."""
    event_version: str
    """The version of the schema of the data of the event."""
    status: Literal["success", "failed", "abandoned"]
    """`success` after a 2xx, and `failed` after any other outcome. A failed delivery becomes `abandoned` when the
    next automatic attempt is dropped or none is left.
    """
    response_status: Optional[int]
    """The HTTP status of the response; null without a response."""
    attempt: int
    """The number of this attempt to deliver the event to the endpoint, from 1."""
    max_attempts: int
    """The most attempts to deliver the event to the endpoint, including replays."""
    duration_ms: Optional[int]
    """The duration of the attempt up to the end of the response, in ms; null when nothing was sent or the outcome is
    unknown.
    """
    test: bool
    """Whether the event is a test event."""
    delivered_at: Optional[str]
    """The time of the 2xx; null after any other outcome."""
    created_at: str
    """The time at which the attempt started."""
    replayed_from: Optional[str]
    """The id of the delivery that this attempt replays; null when it is not a replay."""
    replay_job: Optional[ReplayJobReference]
    """The replay job that started this attempt, or null."""
    failure: Optional[WebhookDeliveryAttemptsAttemptFailure]
    """Why the attempt failed; null after a success."""
    requested_by: Optional[WebhookDeliveryAttemptsAttemptRequestedBy]
    """The requester of the replay or of the replay job; null for an automatic attempt."""


class WebhookDeliveryAttemptsAttemptFailure(TypedDict):
    """Why the attempt failed; null after a success."""

    reason: TestEventResultFailureReason
    """The kind of failure: a response other than 2xx, an error of the connection, an address that is not public
    (`blocked_address`), or an event that was not sent or has an unknown outcome (`lost`).
    """
    detail: str
    """The failure in a sentence, for people."""


class WebhookDeliveryAttemptsAttemptRequestedBy(TypedDict):
    """The requester of the replay or of the replay job; null for an automatic attempt."""

    type: Literal["api_key", "user", "cart", "system"]
    """Whether an API key, a user, the bearer of a cart token or the service itself acts."""
    id: str
    """The id of the API key, the user, the cart or the part of the service."""


class WebhookDeliveryFailure(TypedDict):
    """Why the attempt failed; null after a success."""

    reason: TestEventResultFailureReason
    """The kind of failure: a response other than 2xx, an error of the connection, an address that is not public
    (`blocked_address`), or an event that was not sent or has an unknown outcome (`lost`).
    """
    detail: str
    """The failure in a sentence, for people."""


class WebhookEndpoint(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["webhook_endpoint"]
    """The kind of this object."""
    url: str
    """The URL to which the service posts the events."""
    description: Optional[str]
    """A note of the owner about the endpoint, or null."""
    event_types: List[str]
    """The types of the events that the endpoint receives; `*` alone means every type."""
    status: Literal["enabled", "disabled"]
    """Whether the endpoint receives events (`enabled`) or only test events (`disabled`)."""
    disabled_reason: Literal["manual", "failing", None]
    """Whether the endpoint was disabled by a request (`manual`) or by the service, because its deliveries failed for
    days (`failing`); null while it is enabled.
    """
    disabled_at: Optional[str]
    """The time at which the endpoint was disabled; null while it is enabled."""
    rate_limit_per_second: Optional[int]
    """The most attempts that the endpoint gets in one second; null means the limit of the service."""
    notification_emails: List[str]
    """The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the
    owner of the business. The address of a forgotten person is left out.
    """
    metadata: Dict[str, Any]
    """The values that the owner of the endpoint stored with it."""
    secret_rotated_at: Optional[str]
    """The time at which the signing secret was last replaced, or null before that."""
    last_success_at: Optional[str]
    """The time of the last 2xx from the receiver, or null before that. Test events do not count."""
    last_failure_at: Optional[str]
    """The time of the last failed attempt, or null before that. Test events do not count."""
    waiting: Optional[WebhookEndpointWaiting]
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time at which the settings, the status or the signing secret last changed."""


class WebhookEndpointDisabledEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["webhook.endpoint.disabled"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: WebhookEndpoint
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class WebhookEndpointHourlyStats(TypedDict):
    hours: List[WebhookEndpointHourlyStatsHour]
    """The hours in which attempts started, oldest first."""


class WebhookEndpointHourlyStatsHour(TypedDict):
    hour: str
    """The start of the hour (UTC)."""
    attempts: int
    """The number of attempts that have ended. Those that the service could not send or lost count only here."""
    successes: int
    """The number of attempts with a 2xx."""
    duration_ms: WebhookEndpointHourlyStatsHourDurationMs
    """How long the attempts took, in ms, exact to 5 %."""


class WebhookEndpointHourlyStatsHourDurationMs(TypedDict):
    """How long the attempts took, in ms, exact to 5 %."""

    p50: Optional[int]
    """The duration that half of the attempts do not exceed; null without attempts."""
    p95: Optional[int]
    """The duration that 95 % of the attempts do not exceed; null without attempts."""


class WebhookEndpointReference(TypedDict):
    object: Literal["webhook_endpoint"]
    """The kind of this object."""
    id: str
    """The id of the webhook endpoint."""


class WebhookEndpointStats(TypedDict):
    attempts: int
    """The number of attempts that have ended. Those that the service could not send or lost count only here."""
    successes: int
    """The number of attempts with a 2xx."""
    duration_ms: WebhookEndpointStatsDurationMs
    """How long the attempts took, in ms, exact to 5 %."""
    failures: WebhookEndpointStatsFailures
    """The number of failed attempts, by kind of failure."""
    oldest_waiting_at: Optional[str]
    """The time of the oldest event that waits for an automatic attempt; null when none waits."""
    tests: WebhookEndpointStatsTests
    """The test events, which count in no other field."""


class WebhookEndpointStatsDurationMs(TypedDict):
    """How long the attempts took, in ms, exact to 5 %."""

    p50: Optional[int]
    """The duration that half of the attempts do not exceed; null without attempts."""
    p95: Optional[int]
    """The duration that 95 % of the attempts do not exceed; null without attempts."""


class WebhookEndpointStatsFailures(TypedDict):
    """The number of failed attempts, by kind of failure."""

    client_error: int
    """The number of responses with a 4xx."""
    server_error: int
    """The number of responses with any other status than 2xx or 4xx."""
    timeout: int
    """The number of attempts without a connection or a response in time."""
    network: int
    """The number of attempts without a usable response for another reason."""
    blocked: int
    """The number of attempts that were blocked because the host has an address that is not public."""


class WebhookEndpointStatsTests(TypedDict):
    """The test events, which count in no other field."""

    attempts: int
    """The number of attempts to send a test event."""
    failures: int
    """The number of these attempts without a 2xx."""


class WebhookEndpointWaiting(TypedDict):
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""

    count: int
    """The number of these attempts."""
    oldest_at: str
    """The time since which the oldest of these attempts is due."""
    reason: Literal["open_breaker", "rate", "host", "backlog"]
    """Why they wait: for the pause after many failures (`open_breaker`), the rate limit of the endpoint (`rate`),
    the limits of the host (`host`), or attempts before them (`backlog`).
    """


class WebhookEndpointWarning(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["webhook_endpoint"]
    """The kind of this object."""
    url: str
    """The URL to which the service posts the events."""
    description: Optional[str]
    """A note of the owner about the endpoint, or null."""
    event_types: List[str]
    """The types of the events that the endpoint receives; `*` alone means every type."""
    status: Literal["enabled", "disabled"]
    """Whether the endpoint receives events (`enabled`) or only test events (`disabled`)."""
    disabled_reason: Literal["manual", "failing", None]
    """Whether the endpoint was disabled by a request (`manual`) or by the service, because its deliveries failed for
    days (`failing`); null while it is enabled.
    """
    disabled_at: Optional[str]
    """The time at which the endpoint was disabled; null while it is enabled."""
    rate_limit_per_second: Optional[int]
    """The most attempts that the endpoint gets in one second; null means the limit of the service."""
    notification_emails: List[str]
    """The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the
    owner of the business. The address of a forgotten person is left out.
    """
    metadata: Dict[str, Any]
    """The values that the owner of the endpoint stored with it."""
    secret_rotated_at: Optional[str]
    """The time at which the signing secret was last replaced, or null before that."""
    last_success_at: Optional[str]
    """The time of the last 2xx from the receiver, or null before that. Test events do not count."""
    last_failure_at: Optional[str]
    """The time of the last failed attempt, or null before that. Test events do not count."""
    waiting: Optional[WebhookEndpointWarningWaiting]
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time at which the settings, the status or the signing secret last changed."""
    warning: WebhookEndpointWarningWarning
    """The news for the owner of the endpoint."""


class WebhookEndpointWarningEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["webhook.endpoint.warning"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: WebhookEndpointWarning
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


class WebhookEndpointWarningWaiting(TypedDict):
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""

    count: int
    """The number of these attempts."""
    oldest_at: str
    """The time since which the oldest of these attempts is due."""
    reason: Literal["open_breaker", "rate", "host", "backlog"]
    """Why they wait: for the pause after many failures (`open_breaker`), the rate limit of the endpoint (`rate`),
    the limits of the host (`host`), or attempts before them (`backlog`).
    """


class WebhookEndpointWarningWarning(TypedDict):
    """The news for the owner of the endpoint."""

    reason: Literal["failing", "refused_after_rotation"]
    """Whether deliveries have failed for days (`failing`), or the receiver has refused them since the signing secret
    was replaced (`refused_after_rotation`).
    """
    since: str
    """The time of the first failure since the last success, or of the replacement of the secret."""
    days: Optional[int]
    """The number of days of failure; null for the reason `refused_after_rotation`."""
    failures: int
    """The number of failed attempts since then."""


class WebhookEndpointWithSecret(TypedDict):
    id: str
    """The id of this object; it never changes."""
    object: Literal["webhook_endpoint"]
    """The kind of this object."""
    url: str
    """The URL to which the service posts the events."""
    description: Optional[str]
    """A note of the owner about the endpoint, or null."""
    event_types: List[str]
    """The types of the events that the endpoint receives; `*` alone means every type."""
    status: Literal["enabled", "disabled"]
    """Whether the endpoint receives events (`enabled`) or only test events (`disabled`)."""
    disabled_reason: Literal["manual", "failing", None]
    """Whether the endpoint was disabled by a request (`manual`) or by the service, because its deliveries failed for
    days (`failing`); null while it is enabled.
    """
    disabled_at: Optional[str]
    """The time at which the endpoint was disabled; null while it is enabled."""
    rate_limit_per_second: Optional[int]
    """The most attempts that the endpoint gets in one second; null means the limit of the service."""
    notification_emails: List[str]
    """The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the
    owner of the business. The address of a forgotten person is left out.
    """
    metadata: Dict[str, Any]
    """The values that the owner of the endpoint stored with it."""
    secret_rotated_at: Optional[str]
    """The time at which the signing secret was last replaced, or null before that."""
    last_success_at: Optional[str]
    """The time of the last 2xx from the receiver, or null before that. Test events do not count."""
    last_failure_at: Optional[str]
    """The time of the last failed attempt, or null before that. Test events do not count."""
    waiting: Optional[WebhookEndpointWithSecretWaiting]
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""
    created_at: str
    """The time at which this object was created."""
    updated_at: str
    """The time at which the settings, the status or the signing secret last changed."""
    signing_secret: NotRequired[str]
    """The secret, which the first response alone contains: store it now."""


class WebhookEndpointWithSecretWaiting(TypedDict):
    """The automatic attempts that are due and not sent yet; null when there are none, and in public events."""

    count: int
    """The number of these attempts."""
    oldest_at: str
    """The time since which the oldest of these attempts is due."""
    reason: Literal["open_breaker", "rate", "host", "backlog"]
    """Why they wait: for the pause after many failures (`open_breaker`), the rate limit of the endpoint (`rate`),
    the limits of the host (`host`), or attempts before them (`backlog`).
    """


class WebhookMessage(TypedDict):
    headers: Dict[str, str]
    """The HTTP headers, by name. The signatures of a request are left out while receivers accept them: for 5
    minutes.
    """
    body: str
    """The body. A request lacks personal data that was erased since, and a response has at most its first 16 KiB."""


class WebhookTest(TypedDict):
    endpoint: WebhookEndpointReference
    """The endpoint to which the test event is sent."""


class WebhookTestEvent(TypedDict):
    id: str
    """The id of the event, the same in every attempt and for every endpoint."""
    type: Literal["webhook.test"]
    """The type of the event."""
    version: str
    """The version of the form of `data`."""
    occurred_at: str
    """The time at which it happened."""
    sequence: int
    """The number of the fact in the history of its resource: of two events about one resource, the larger is the
    later state. 0 for events of older versions.
    """
    created_at: str
    """The time at which the event was published."""
    delivery_id: str
    """The id of this attempt."""
    attempt: int
    """The number of this attempt, from 1."""
    test: bool
    """Whether the event was sent as a test and nothing happened."""
    data: WebhookTest
    """The object that the event is about, as it was then."""
    changes: Optional[EventChanges]
    """The fields of `data` that the change moved, by name, with their values before and after it; null for an event
    that means no change.
    """


AuditType = Literal[
    "ApiKeyCreated",
    "ApiKeyRevoked",
    "ApiKeyRotated",
    "AttemptFailed",
    "AttemptLost",
    "AttemptStarted",
    "AttemptSucceeded",
    "AuditExportCompleted",
    "AuditExportDeleted",
    "AuditExportFailed",
    "AuditExportFileRemoved",
    "AuditExportRequested",
    "AuditExportSlotClaimed",
    "AuditExportStarted",
    "AuditHistoryRead",
    "BusinessCreated",
    "BuyerErased",
    "CancellationRevoked",
    "CancellationScheduled",
    "CartCheckedOut",
    "CartCreated",
    "CartEdited",
    "CartExpired",
    "CartReopened",
    "ChainCheckpointSigned",
    "ChallengeCancelled",
    "ChallengeCompleted",
    "ChallengeCreated",
    "ChallengeEdited",
    "ChallengeEnded",
    "ChallengeEntryClosed",
    "ChallengeJoined",
    "ChallengeStarted",
    "ChangeDeferred",
    "ChangeFailed",
    "ChangeScheduled",
    "ChangeSuperseded",
    "ChangeWithdrawn",
    "ChannelCreated",
    "ChannelDeleted",
    "ChannelEdited",
    "ChannelNameClaimed",
    "ChannelNamingAbandoned",
    "CommentCreated",
    "CommentDeleted",
    "CommunityArchived",
    "CommunityCreated",
    "CommunityEdited",
    "CommunityReopened",
    "CommunityTransferred",
    "DeliveryChainAbandoned",
    "DeliveryChainHeld",
    "DeliveryChainMissed",
    "DeliveryChainPlanned",
    "DeliveryChainReleased",
    "DeliveryChainSkipped",
    "DiscountAbandoned",
    "DiscountCodeClaimed",
    "DiscountCreated",
    "DiscountDeleted",
    "DisputeBooked",
    "DisputeClosed",
    "DisputeFeeCharged",
    "EndpointAbandoned",
    "EndpointCreated",
    "EndpointDeleted",
    "EndpointDisabled",
    "EndpointEdited",
    "EndpointEnabled",
    "EndpointQuotaClaimed",
    "EndpointQuotaReleased",
    "EndpointWarned",
    "EntitlementEnded",
    "EntitlementGranted",
    "EventSkipped",
    "ExpertBadgeAssigned",
    "ExpertBadgeRemoved",
    "FirstKeyShown",
    "FirstStartClaimed",
    "FundsReleased",
    "InstallmentFailed",
    "InstallmentMethodChanged",
    "InstallmentPaid",
    "InstallmentPlanCancelled",
    "InstallmentPlanStarted",
    "InstallmentStarted",
    "InviteAccepted",
    "InviteAddressClaimed",
    "InviteCounted",
    "InviteCreated",
    "InviteDeclined",
    "InviteExpired",
    "InviteRenewed",
    "InviteResent",
    "InviteRevoked",
    "InvoiceIssued",
    "InvoiceMarkedUncollectible",
    "InvoiceNumberAssigned",
    "InvoicePaid",
    "InvoiceVoided",
    "KeySecretClaimed",
    "LibraryResourceAdded",
    "LibraryResourceDeleted",
    "LibraryResourceDownloaded",
    "LibraryResourceEdited",
    "LineAdded",
    "LineChanged",
    "LineRemoved",
    "MemberActivated",
    "MemberAddressChanged",
    "MemberBanned",
    "MemberChanged",
    "MemberErased",
    "MemberImportRequested",
    "MemberImported",
    "MemberJoined",
    "MemberLeft",
    "MemberRejoined",
    "MemberRemoved",
    "MemberRowsImported",
    "MemberUnbanned",
    "MembershipClaimed",
    "MessageDeleted",
    "MessageEdited",
    "MessageSent",
    "OfferAccepted",
    "OfferCancelled",
    "OfferCreated",
    "OfferExpired",
    "OfferReleased",
    "OfferReservationRefused",
    "OfferReserved",
    "OfferSent",
    "OnboardingTaskAdded",
    "OnboardingTaskCompleted",
    "OnboardingTaskDeleted",
    "OrderCompleted",
    "OrderFailed",
    "OrderPlaced",
    "OwnershipChanged",
    "OwnershipQuotaClaimed",
    "OwnershipQuotaReleased",
    "PaymentDisputed",
    "PaymentFailed",
    "PaymentMethodChanged",
    "PaymentPlanCreated",
    "PaymentStarted",
    "PaymentSucceeded",
    "PaymentUnsettled",
    "PayoutPaid",
    "PlanAdded",
    "PlanArchived",
    "PlanChanged",
    "PointsAwarded",
    "PointsPaid",
    "PointsReserved",
    "PointsReversalRequested",
    "PointsReversed",
    "PostCreated",
    "PostDeleted",
    "PostEdited",
    "PostLiked",
    "PostRestored",
    "PostUnliked",
    "PriceChanged",
    "ProductApproved",
    "ProductAttachmentAdded",
    "ProductAttachmentRemoved",
    "ProductCreated",
    "ProductDenied",
    "ProductEdited",
    "ProductImageAdded",
    "ProductImageRemoved",
    "ProductReviewRequested",
    "ProgressCounted",
    "ProgressWithdrawn",
    "PublicEventRecorded",
    "RefundFailed",
    "RefundRejected",
    "RefundRequested",
    "RefundReserved",
    "RefundSucceeded",
    "RefundUnsettled",
    "RenewalFailed",
    "RenewalStarted",
    "ReplayBatchEnded",
    "ReplayChainsHeld",
    "ReplayChainsSelected",
    "ReplayChainsSettled",
    "ReplayJobAbandoned",
    "ReplayJobAllHeld",
    "ReplayJobCancelRequested",
    "ReplayJobCancelled",
    "ReplayJobCompleted",
    "ReplayJobFailed",
    "ReplayJobRequested",
    "ReplayJobStarted",
    "ReplayLockAcquired",
    "ReplayLockReleased",
    "ReservationRefused",
    "ReservationReleased",
    "ResumeFailed",
    "SaleCredited",
    "SecretRotated",
    "SubjectForgotten",
    "SubscriptionCancelled",
    "SubscriptionPaused",
    "SubscriptionRenewed",
    "SubscriptionResumed",
    "SubscriptionStarted",
    "TestClockAdvanceStarted",
    "TestClockAdvanced",
    "TestClockSet",
    "TestEventRequested",
    "UserEmailClaimed",
    "UserEmailReleased",
    "UserEmailVerified",
    "UserForgotten",
    "UserLinked",
    "UserRegistered",
    "UserSubjectClaimed",
]

AuditedResource = Dict[str, Any]

EventChanges = Dict[str, EventChangesValue]

ProblemCode = Literal[
    "bad_request",
    "invalid_json",
    "invalid_parameter",
    "invalid_signature",
    "invalid_idempotency_key",
    "idempotency_key_required",
    "authentication_required",
    "invalid_credentials",
    "token_expired",
    "payment_failed",
    "read_only_key",
    "secret_key_required",
    "live_key_required",
    "business_access_denied",
    "permission_denied",
    "insufficient_level",
    "not_a_member",
    "posting_restricted",
    "invite_required",
    "purchase_required",
    "banned",
    "not_found",
    "onboarding_task_not_found",
    "method_not_allowed",
    "request_timeout",
    "concurrent_update",
    "idempotency_key_conflict",
    "idempotency_key_in_progress",
    "delivery_in_progress",
    "delivery_replayed_by_job",
    "replay_job_conflict",
    "export_not_completed",
    "operation_refused",
    "points_already_awarded",
    "payload_too_large",
    "uri_too_long",
    "unsupported_media_type",
    "expectation_failed",
    "validation_failed",
    "unknown_parameter",
    "endpoint_disabled",
    "expired",
    "key_ended",
    "business_limit_reached",
    "key_limit_reached",
    "attempts_exhausted",
    "replay_job_finished",
    "export_failed",
    "window_too_large",
    "url_not_allowed",
    "event_type_unknown",
    "event_type_closed",
    "endpoint_limit_reached",
    "payment_not_refundable",
    "payment_already_refunded",
    "refund_amount_exceeds_refundable",
    "refund_declined",
    "payment_disputed",
    "dispute_closed",
    "insufficient_seller_balance",
    "amount_not_supported",
    "currency_mismatch",
    "product_not_in_review",
    "product_unavailable",
    "not_saleable",
    "plan_not_available",
    "offer_not_sendable",
    "offer_not_sent",
    "offer_already_accepted",
    "offer_expired",
    "offer_cancelled",
    "offer_buyer_mismatch",
    "discount_invalid",
    "discount_code_taken",
    "cart_not_open",
    "cart_locked",
    "cart_empty",
    "buyer_required",
    "payment_method_invalid",
    "no_change",
    "subscription_not_active",
    "subscription_cancelling",
    "subscription_not_pausable",
    "subscription_not_paused",
    "subscription_already_cancelled",
    "no_pending_change",
    "no_scheduled_cancellation",
    "clock_moves_forward_only",
    "buyer_has_active_charges",
    "installments_ended",
    "test_clock_advancing",
    "test_clock_too_far",
    "content_required",
    "name_taken",
    "key_taken",
    "member_not_found",
    "already_member",
    "self_award",
    "owner_protected",
    "last_owner",
    "banned_member",
    "invalid_range",
    "invalid_timezone",
    "challenge_ended",
    "challenge_cancelled",
    "default_channel_protected",
    "invite_already_accepted",
    "invite_declined",
    "invite_revoked",
    "invite_expired",
    "reply_target_invalid",
    "restore_expired",
    "product_required",
    "levels_not_rising",
    "community_archived",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "service_unavailable",
]

SeenCommunity = Union[Community, PublicCommunity]

TestEventResultFailureReason = Literal[
    "client_error",
    "server_error",
    "redirect",
    "timeout",
    "dns_failure",
    "connection_refused",
    "connection_reset",
    "tls_failure",
    "blocked_address",
    "response_too_large",
    "invalid_response",
    "lost",
]

WebhookEventType = Literal[
    "api_key.created",
    "api_key.revoked",
    "api_key.rotated",
    "buyer.erased",
    "cart.order.completed",
    "community.archived",
    "community.challenge.cancelled",
    "community.challenge.completed",
    "community.challenge.created",
    "community.challenge.ended",
    "community.challenge.joined",
    "community.challenge.progressed",
    "community.challenge.started",
    "community.challenge.updated",
    "community.channel.created",
    "community.channel.deleted",
    "community.channel.updated",
    "community.comment.created",
    "community.comment.deleted",
    "community.created",
    "community.invite.accepted",
    "community.invite.created",
    "community.invite.declined",
    "community.invite.expired",
    "community.invite.renewed",
    "community.invite.revoked",
    "community.library_resource.created",
    "community.library_resource.deleted",
    "community.library_resource.downloaded",
    "community.library_resource.updated",
    "community.member.banned",
    "community.member.changed",
    "community.member.erased",
    "community.member.expert_badge_assigned",
    "community.member.expert_badge_removed",
    "community.member.imported",
    "community.member.joined",
    "community.member.left",
    "community.member.removed",
    "community.member.unbanned",
    "community.message.created",
    "community.message.deleted",
    "community.message.edited",
    "community.onboarding_task.completed",
    "community.onboarding_task.created",
    "community.onboarding_task.deleted",
    "community.points.awarded",
    "community.points.reversed",
    "community.post.created",
    "community.post.deleted",
    "community.post.edited",
    "community.post.liked",
    "community.post.restored",
    "community.post.unliked",
    "community.reopened",
    "community.transferred",
    "community.updated",
    "discount.created",
    "discount.deleted",
    "dispute.closed",
    "dispute.opened",
    "entitlement.ended",
    "entitlement.granted",
    "installment.cancelled",
    "installment.failed",
    "installment.paid",
    "invoice.issued",
    "invoice.paid",
    "invoice.uncollectible",
    "invoice.voided",
    "offer.accepted",
    "offer.cancelled",
    "offer.created",
    "offer.expired",
    "offer.sent",
    "order.failed",
    "payment.funds_available",
    "payment.refund.failed",
    "payment.refund.pending",
    "payment.refund.succeeded",
    "payment.sale.failed",
    "payment.sale.succeeded",
    "payout.paid",
    "product.approved",
    "product.denied",
    "product.review_requested",
    "product.updated",
    "subscription.cancellation_revoked",
    "subscription.cancellation_scheduled",
    "subscription.cancelled",
    "subscription.change_failed",
    "subscription.change_scheduled",
    "subscription.change_superseded",
    "subscription.change_withdrawn",
    "subscription.created",
    "subscription.past_due",
    "subscription.paused",
    "subscription.payment_method_changed",
    "subscription.plan_changed",
    "subscription.price_changed",
    "subscription.renewal_failed",
    "subscription.renewed",
    "subscription.resumed",
    "webhook.endpoint.disabled",
    "webhook.endpoint.warning",
    "webhook.test",
]

WebhooksEventType = Literal[
    "api_key.*",
    "api_key.created",
    "api_key.revoked",
    "api_key.rotated",
    "buyer.*",
    "buyer.erased",
    "cart.*",
    "cart.order.*",
    "cart.order.completed",
    "community.*",
    "community.archived",
    "community.challenge.*",
    "community.challenge.cancelled",
    "community.challenge.completed",
    "community.challenge.created",
    "community.challenge.ended",
    "community.challenge.joined",
    "community.challenge.progressed",
    "community.challenge.started",
    "community.challenge.updated",
    "community.channel.*",
    "community.channel.created",
    "community.channel.deleted",
    "community.channel.updated",
    "community.comment.*",
    "community.comment.created",
    "community.comment.deleted",
    "community.created",
    "community.invite.*",
    "community.invite.accepted",
    "community.invite.created",
    "community.invite.declined",
    "community.invite.expired",
    "community.invite.renewed",
    "community.invite.revoked",
    "community.library_resource.*",
    "community.library_resource.created",
    "community.library_resource.deleted",
    "community.library_resource.downloaded",
    "community.library_resource.updated",
    "community.member.*",
    "community.member.banned",
    "community.member.changed",
    "community.member.erased",
    "community.member.expert_badge_assigned",
    "community.member.expert_badge_removed",
    "community.member.imported",
    "community.member.joined",
    "community.member.left",
    "community.member.removed",
    "community.member.unbanned",
    "community.message.*",
    "community.message.created",
    "community.message.deleted",
    "community.message.edited",
    "community.onboarding_task.*",
    "community.onboarding_task.completed",
    "community.onboarding_task.created",
    "community.onboarding_task.deleted",
    "community.points.*",
    "community.points.awarded",
    "community.points.reversed",
    "community.post.*",
    "community.post.created",
    "community.post.deleted",
    "community.post.edited",
    "community.post.liked",
    "community.post.restored",
    "community.post.unliked",
    "community.reopened",
    "community.transferred",
    "community.updated",
    "discount.*",
    "discount.created",
    "discount.deleted",
    "dispute.*",
    "dispute.closed",
    "dispute.opened",
    "entitlement.*",
    "entitlement.ended",
    "entitlement.granted",
    "installment.*",
    "installment.cancelled",
    "installment.failed",
    "installment.paid",
    "invoice.*",
    "invoice.issued",
    "invoice.paid",
    "invoice.uncollectible",
    "invoice.voided",
    "offer.*",
    "offer.accepted",
    "offer.cancelled",
    "offer.created",
    "offer.expired",
    "offer.sent",
    "order.*",
    "order.failed",
    "payment.*",
    "payment.funds_available",
    "payment.refund.*",
    "payment.refund.failed",
    "payment.refund.pending",
    "payment.refund.succeeded",
    "payment.sale.*",
    "payment.sale.failed",
    "payment.sale.succeeded",
    "payout.*",
    "payout.paid",
    "product.*",
    "product.approved",
    "product.denied",
    "product.review_requested",
    "product.updated",
    "subscription.*",
    "subscription.cancellation_revoked",
    "subscription.cancellation_scheduled",
    "subscription.cancelled",
    "subscription.change_failed",
    "subscription.change_scheduled",
    "subscription.change_superseded",
    "subscription.change_withdrawn",
    "subscription.created",
    "subscription.past_due",
    "subscription.paused",
    "subscription.payment_method_changed",
    "subscription.plan_changed",
    "subscription.price_changed",
    "subscription.renewal_failed",
    "subscription.renewed",
    "subscription.resumed",
    "webhook.*",
    "webhook.endpoint.*",
    "webhook.endpoint.disabled",
    "webhook.endpoint.warning",
    "webhook.test",
]


WebhookEvent = Union[
    ApiKeyCreatedEvent,
    ApiKeyRevokedEvent,
    ApiKeyRotatedEvent,
    BuyerErasedEvent,
    CartOrderCompletedEvent,
    CommunityArchivedEvent,
    CommunityChallengeCancelledEvent,
    CommunityChallengeCompletedEvent,
    CommunityChallengeCreatedEvent,
    CommunityChallengeEndedEvent,
    CommunityChallengeJoinedEvent,
    CommunityChallengeProgressedEvent,
    CommunityChallengeStartedEvent,
    CommunityChallengeUpdatedEvent,
    CommunityChannelCreatedEvent,
    CommunityChannelDeletedEvent,
    CommunityChannelUpdatedEvent,
    CommunityCommentCreatedEvent,
    CommunityCommentDeletedEvent,
    CommunityCreatedEvent,
    CommunityInviteAcceptedEvent,
    CommunityInviteCreatedEvent,
    CommunityInviteDeclinedEvent,
    CommunityInviteExpiredEvent,
    CommunityInviteRenewedEvent,
    CommunityInviteRevokedEvent,
    CommunityLibraryResourceCreatedEvent,
    CommunityLibraryResourceDeletedEvent,
    CommunityLibraryResourceDownloadedEvent,
    CommunityLibraryResourceUpdatedEvent,
    CommunityMemberBannedEvent,
    CommunityMemberChangedEvent,
    CommunityMemberErasedEvent,
    CommunityMemberExpertBadgeAssignedEvent,
    CommunityMemberExpertBadgeRemovedEvent,
    CommunityMemberImportedEvent,
    CommunityMemberJoinedEvent,
    CommunityMemberLeftEvent,
    CommunityMemberRemovedEvent,
    CommunityMemberUnbannedEvent,
    CommunityMessageCreatedEvent,
    CommunityMessageDeletedEvent,
    CommunityMessageEditedEvent,
    CommunityOnboardingTaskCompletedEvent,
    CommunityOnboardingTaskCreatedEvent,
    CommunityOnboardingTaskDeletedEvent,
    CommunityPointsAwardedEvent,
    CommunityPointsReversedEvent,
    CommunityPostCreatedEvent,
    CommunityPostDeletedEvent,
    CommunityPostEditedEvent,
    CommunityPostLikedEvent,
    CommunityPostRestoredEvent,
    CommunityPostUnlikedEvent,
    CommunityReopenedEvent,
    CommunityTransferredEvent,
    CommunityUpdatedEvent,
    DiscountCreatedEvent,
    DiscountDeletedEvent,
    DisputeClosedEvent,
    DisputeOpenedEvent,
    EntitlementEndedEvent,
    EntitlementGrantedEvent,
    InstallmentCancelledEvent,
    InstallmentFailedEvent,
    InstallmentPaidEvent,
    InvoiceIssuedEvent,
    InvoicePaidEvent,
    InvoiceUncollectibleEvent,
    InvoiceVoidedEvent,
    OfferAcceptedEvent,
    OfferCancelledEvent,
    OfferCreatedEvent,
    OfferExpiredEvent,
    OfferSentEvent,
    OrderFailedEvent,
    PaymentFundsAvailableEvent,
    PaymentRefundFailedEvent,
    PaymentRefundPendingEvent,
    PaymentRefundSucceededEvent,
    PaymentSaleFailedEvent,
    PaymentSaleSucceededEvent,
    PayoutPaidEvent,
    ProductApprovedEvent,
    ProductDeniedEvent,
    ProductReviewRequestedEvent,
    ProductUpdatedEvent,
    SubscriptionCancellationRevokedEvent,
    SubscriptionCancellationScheduledEvent,
    SubscriptionCancelledEvent,
    SubscriptionChangeFailedEvent,
    SubscriptionChangeScheduledEvent,
    SubscriptionChangeSupersededEvent,
    SubscriptionChangeWithdrawnEvent,
    SubscriptionCreatedEvent,
    SubscriptionPastDueEvent,
    SubscriptionPausedEvent,
    SubscriptionPaymentMethodChangedEvent,
    SubscriptionPlanChangedEvent,
    SubscriptionPriceChangedEvent,
    SubscriptionRenewalFailedEvent,
    SubscriptionRenewedEvent,
    SubscriptionResumedEvent,
    WebhookEndpointDisabledEvent,
    WebhookEndpointWarningEvent,
    WebhookTestEvent,
]
"""The body of a webhook. Its `type` decides the type of its `data`."""
