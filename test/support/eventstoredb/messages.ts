import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { AppendOutcome, ProposedEvent, StoredEvent } from './log.ts';

const { ReadResp, AppendResp } = streams;

/** The fixed creation time of all events, in ticks of 100 ns. */
const CREATED = '17699544000000000';

export function parseProposedEvent(message: streams.AppendReq.ProposedMessage): ProposedEvent {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()!.getString(),
    type: metadata.get('type')!,
    contentType: metadata.get('content-type')!,
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function parseStreamName(options: { getStreamIdentifier(): shared.StreamIdentifier | undefined }): string {
  return Buffer.from(options.getStreamIdentifier()!.getStreamName_asU8()).toString();
}

export function toEventMessage({
  id,
  type,
  contentType,
  data,
  metadata,
  stream,
  revision,
  commit,
  prepare,
}: StoredEvent): streams.ReadResp {
  const event = new ReadResp.ReadEvent.RecordedEvent();
  event.setId(new shared.UUID().setString(id));
  event.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  event.setStreamRevision(`${revision}`);
  event.setCommitPosition(`${commit}`);
  event.setPreparePosition(`${prepare}`);
  event.setData(data);
  event.setCustomMetadata(metadata);
  event.getMetadataMap().set('type', type).set('content-type', contentType).set('created', CREATED);
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(event).setCommitPosition(`${commit}`));
}

export function createConfirmation(): streams.ReadResp {
  return new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId('subscription'));
}

export function createCaughtUp(): streams.ReadResp {
  return new ReadResp().setCaughtUp(new ReadResp.CaughtUp());
}

export function toCheckpoint({ commit, prepare }: StoredEvent): streams.ReadResp {
  const position = new ReadResp.Checkpoint().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`);
  return new ReadResp().setCheckpoint(position);
}

export function createStreamNotFound(stream: string): streams.ReadResp {
  const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  return new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(name));
}

export function toAppendResponse(written: AppendOutcome): streams.AppendResp {
  if ('wrong' in written) return new AppendResp().setWrongExpectedVersion(toWrongExpectedVersion(written.wrong));
  const success = new AppendResp.Success().setCurrentRevision(`${written.revision}`);
  if (written.last === null) return new AppendResp().setSuccess(success.setNoPosition(new shared.Empty()));
  const { commit, prepare } = written.last;
  const position = new AppendResp.Position().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`);
  return new AppendResp().setSuccess(success.setPosition(position));
}

function toWrongExpectedVersion(current: number): streams.AppendResp.WrongExpectedVersion {
  const wrong = new AppendResp.WrongExpectedVersion();
  return current < 0 ? wrong.setCurrentNoStream(new shared.Empty()) : wrong.setCurrentRevision(`${current}`);
}

export type NodeState = gossip.MemberInfo.VNodeState;
export const NodeState = gossip.MemberInfo.VNodeState;

/** The state of a node as another node or the node itself reports it. */
export interface GossipedMember {
  readonly port: number;
  readonly state: NodeState;
  readonly isAlive: boolean;
}

export function toClusterInfo(members: readonly GossipedMember[]): gossip.ClusterInfo {
  return new gossip.ClusterInfo().setMembersList(members.map(toMemberInfo));
}

function toMemberInfo({ port, state, isAlive }: GossipedMember): gossip.MemberInfo {
  const id = `0199c3a0-0000-7000-8000-${port.toString(16).padStart(12, '0')}`;
  const member = new gossip.MemberInfo().setInstanceId(new shared.UUID().setString(id)).setTimeStamp('0');
  const address = new gossip.EndPoint().setAddress('127.0.0.1').setPort(port);
  return member.setState(state).setIsAlive(isAlive).setHttpEndPoint(address);
}

/** The server announces batch appends but never answers them, so a client that uses them hangs. */
export function createSupportedMethods(): features.SupportedMethods {
  const batch = new features.SupportedMethod()
    .setServiceName('event_store.client.streams.Streams')
    .setMethodName('batchappend');
  return new features.SupportedMethods().setMethodsList([batch]).setEventStoreServerVersion('24.10.0');
}

/** A gRPC error of the server: a status, and the details in the metadata. */
export class GrpcError extends Error implements StatusObject {
  readonly code: status;
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(code: status, details: string, about: Readonly<Record<string, string>> = {}) {
    super(details);
    this.code = code;
    this.details = details;
    for (const [name, value] of Object.entries(about)) this.metadata.set(name, value);
  }
}

export const createUnavailableError = () => new GrpcError(status.UNAVAILABLE, 'Server Is Not Ready');
export const createTimeoutError = () => new GrpcError(status.ABORTED, 'Operation timed out');
export const createCommitTimeoutError = () =>
  new GrpcError(status.ABORTED, 'Operation timed out. Commit phase timeout');
export const createAccessDeniedError = () =>
  new GrpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
export const createUnauthenticatedError = () => new GrpcError(status.UNAUTHENTICATED, 'who are you');
export const createNotFoundError = () => new GrpcError(status.NOT_FOUND, 'nothing there');

export function createStreamDeletedError(stream: string): GrpcError {
  return new GrpcError(status.FAILED_PRECONDITION, 'Event stream is deleted.', {
    exception: 'stream-deleted',
    'stream-name': stream,
  });
}

export function createTooLargeError(bytes: number): GrpcError {
  return new GrpcError(status.INVALID_ARGUMENT, 'Maximum Append Size Exceeded.', {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${bytes}`,
  });
}

export function createNotLeaderError(port: number): GrpcError {
  return new GrpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': `${port}`,
  });
}
