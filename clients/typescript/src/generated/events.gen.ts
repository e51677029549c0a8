// Generated from the OpenAPI document by `npm run client`. Do not edit.
import type * as T from './types.gen.ts';

/** The body of a webhook. Its `type` decides the type of its `data`. */
export type WebhookEvent =
  | T.ReceiveCartOrderCompletedWebhookPayload
  | T.ReceiveCommunityChallengeCancelledWebhookPayload
  | T.ReceiveCommunityChallengeCompletedWebhookPayload
  | T.ReceiveCommunityChallengeUpdatedWebhookPayload
  | T.ReceiveCommunityChannelDeletedWebhookPayload
  | T.ReceiveCommunityCreatedWebhookPayload
  | T.ReceiveCommunityInviteAcceptedWebhookPayload
  | T.ReceiveCommunityInviteDeclinedWebhookPayload
  | T.ReceiveCommunityLibraryResourceDownloadedWebhookPayload
  | T.ReceiveCommunityMemberExpertBadgeAssignedWebhookPayload
  | T.ReceiveCommunityMemberImportedWebhookPayload
  | T.ReceiveCommunityMemberJoinedWebhookPayload
  | T.ReceiveCommunityMessageDeletedWebhookPayload
  | T.ReceiveCommunityOnboardingTaskCompletedWebhookPayload
  | T.ReceiveCommunityPointsAwardedWebhookPayload
  | T.ReceiveCommunityPointsReversedWebhookPayload
  | T.ReceiveCommunityPostCreatedWebhookPayload
  | T.ReceiveCommunityPostDeletedWebhookPayload
  | T.ReceiveDisputeClosedWebhookPayload
  | T.ReceiveDisputeOpenedWebhookPayload
  | T.ReceiveInvoiceIssuedWebhookPayload
  | T.ReceiveInvoicePaidWebhookPayload
  | T.ReceiveInvoiceVoidedWebhookPayload
  | T.ReceiveOfferAcceptedWebhookPayload
  | T.ReceiveOfferCancelledWebhookPayload
  | T.ReceiveOfferExpiredWebhookPayload
  | T.ReceiveOfferSentWebhookPayload
  | T.ReceivePaymentRefundFailedWebhookPayload
  | T.ReceivePaymentRefundSucceededWebhookPayload
  | T.ReceivePaymentSaleFailedWebhookPayload
  | T.ReceivePaymentSaleSucceededWebhookPayload
  | T.ReceiveProductApprovedWebhookPayload
  | T.ReceiveProductDeniedWebhookPayload
  | T.ReceiveProductReviewRequestedWebhookPayload
  | T.ReceiveSubscriptionCancellationRevokedWebhookPayload
  | T.ReceiveSubscriptionCancellationScheduledWebhookPayload
  | T.ReceiveSubscriptionCancelledWebhookPayload
  | T.ReceiveSubscriptionChangeFailedWebhookPayload
  | T.ReceiveSubscriptionChangeScheduledWebhookPayload
  | T.ReceiveSubscriptionChangeSupersededWebhookPayload
  | T.ReceiveSubscriptionCreatedWebhookPayload
  | T.ReceiveSubscriptionPastDueWebhookPayload
  | T.ReceiveSubscriptionPausedWebhookPayload
  | T.ReceiveSubscriptionPlanChangedWebhookPayload
  | T.ReceiveSubscriptionPriceChangedWebhookPayload
  | T.ReceiveSubscriptionRenewedWebhookPayload
  | T.ReceiveSubscriptionResumedWebhookPayload
  | T.ReceiveWebhookEndpointDisabledWebhookPayload
  | T.ReceiveWebhookEndpointWarningWebhookPayload
  | T.ReceiveWebhookTestWebhookPayload;
