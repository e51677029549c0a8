import { isNativeError } from 'node:util/types';
import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNotConnectedError,
  MongoServerError,
  MongoSystemError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreUnavailable } from '../../kernel/event-store.js';

const DUPLICATE_KEY = 11000;
/**
 * What a server says that cannot serve now, and will another time, or once an operator has let us in. All else that it refuses is a mistake
 * of ours.
 */
const OUTAGES = {
  HostUnreachable: 6,
  HostNotFound: 7,
  Unauthorized: 13,
  AuthenticationFailed: 18,
  LockTimeout: 24,
  CursorNotFound: 43,
  MaxTimeMSExpired: 50,
  WriteConcernFailed: 64,
  NetworkTimeout: 89,
  ShutdownInProgress: 91,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  FailedToSatisfyReadPreference: 133,
  QueryPlanKilled: 175,
  PrimarySteppedDown: 189,
  CursorKilled: 237,
  ExceededTimeLimit: 262,
  TemporarilyUnavailable: 365,
  OverQuota: 8000,
  SocketException: 9001,
  NotWritablePrimary: 10107,
  InterruptedAtShutdown: 11600,
  Interrupted: 11601,
  InterruptedDueToReplStateChange: 11602,
  StaleConfig: 13388,
  NotPrimaryNoSecondaryOk: 13435,
  NotPrimaryOrSecondary: 13436,
  OutOfDiskSpace: 14031,
};
const OUTAGE_CODES = new Set<unknown>(Object.values(OUTAGES));
const OUTAGE_LABELS = ['RetryableWriteError', 'SystemOverloadedError'];
/** What the runtime calls the end of a connection; the driver lets some of these through as they are. */
const OF_A_SOCKET = /^(E[A-Z]+|EAI_\w+|ERR_(STREAM|SOCKET|TLS)_\w+)$/;
/** No connection was had, so nothing was sent. */
const UNSENT = ['WaitQueueTimeoutError', 'MongoPoolClearedError'];

/** @throws StoreUnavailable for all that the server, or the way to it, is to blame for */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = behind(thrown);
    if (!(isNativeError(error) && isOutage(error))) throw thrown;
    throw new StoreUnavailable(error.message, maybeWritten(error), { cause: error });
  }
}

/** False when the key that it writes is there already. */
export async function isNew(write: () => Promise<unknown>): Promise<boolean> {
  return (await unlessDuplicate(write)) !== null;
}

/** Null when the key that it writes is there already: of an upsert, that its guard does not hold. */
export async function unlessDuplicate<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
    throw error;
  }
}

/** For what is to go, and may have gone already. */
export async function unlessAbsent(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!(error instanceof MongoServerError && (error.codeName === 'NamespaceNotFound' || error.message === 'ns not found'))) throw error;
  }
}

/** The places, in an unordered bulk, of the writes whose key is there already. Whatever else is wrong with any is thrown. */
export async function duplicatesOf(bulk: () => Promise<unknown>): Promise<number[]> {
  try {
    await bulk();
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError && isAboutDuplicatesAlone(error))) throw error;
    return refusedBy(error).map(({ index }) => index);
  }
}

function isAboutDuplicatesAlone(error: MongoBulkWriteError): boolean {
  const refused = refusedBy(error);
  const isSafe = error.result.getWriteConcernError() === undefined;
  return isSafe && refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY);
}

function refusedBy(error: MongoBulkWriteError): readonly { readonly code: number; readonly index: number }[] {
  return [error.writeErrors].flat();
}

/** The driver tells of a connection that is cut in the middle of a bulk as if the server had refused a write of it. */
function behind(thrown: unknown): unknown {
  const isWrapped = thrown instanceof MongoBulkWriteError && isNativeError(thrown.errorResponse);
  return isWrapped ? thrown.errorResponse : thrown;
}

function isOutage(error: Error): boolean {
  if (!(error instanceof MongoError)) return isOfSocket(error);
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoBulkWriteError) return isOutageOfBulk(error);
  if (!(error instanceof MongoServerError)) return !(error instanceof MongoInvalidArgumentError);
  return OUTAGE_CODES.has(error.code) || OUTAGE_LABELS.some((label) => error.hasErrorLabel(label));
}

/** A certificate that cannot be opened is no outage: it has the codes of one. */
function isOfSocket({ code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall !== 'open' && OF_A_SOCKET.test(String(code));
}

function isOutageOfBulk(error: MongoBulkWriteError): boolean {
  return error.result.getWriteConcernError() !== undefined || refusedBy(error).some(({ code }) => OUTAGE_CODES.has(code));
}

function maybeWritten(error: Error): boolean {
  return !(error instanceof MongoSystemError || error instanceof MongoNotConnectedError || UNSENT.includes(error.name));
}
