import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../../kernel/event-store.js';
import type { ProposedEvent } from './events.js';
import { isKnown, type LogPosition } from './positions.js';

/** `any`: the append accepts every last revision. */
export type ExpectedOrAny = ExpectedRevision | 'any';

/** The response of a server to an append; the server does not always know the position of a repeated append. */
export type AppendResponse =
  { readonly revision: number; readonly position: LogPosition | null } | { readonly actual: ExpectedRevision };

export function toAppendMessages(
  stream: string,
  expected: ExpectedOrAny,
  events: readonly ProposedEvent[],
): streams.AppendReq[] {
  const options = new streams.AppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream)),
  );
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setRevision(String(expected));
  return [new streams.AppendReq().setOptions(options), ...events.map(toEventMessage)];
}

export function parseAppendResponse(answer: streams.AppendResp): AppendResponse {
  const wrong = answer.getWrongExpectedVersion();
  if (wrong !== undefined) return { actual: wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : 'none' };
  const success = answer.getSuccess();
  if (success === undefined) throw new Error('the response to an append has no result');
  const position = parsePosition(success.getPosition());
  return { revision: Number(success.getCurrentRevision()), position: isKnown(position) ? position : null };
}

function toEventMessage({ id, type, data, metadata }: ProposedEvent): streams.AppendReq {
  const message = new streams.AppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return new streams.AppendReq().setProposedMessage(message);
}

function parsePosition(position: streams.AppendResp.Position | undefined): LogPosition | undefined {
  return position && { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) };
}
