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

/**
 * What a server answers to a command that is wrong in itself: repeating it never helps. Every other refusal is an outage, also with a code
 * that no version of the service has seen: a sharded or failing cluster has many, and what is retried in vain loses nothing.
 */
const MISTAKES = {
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  IllegalOperation: 20,
  InvalidBSON: 22,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  NamespaceExists: 48,
  DollarPrefixedFieldName: 52,
  EmptyFieldName: 56,
  DottedFieldName: 57,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  CommandNotSupported: 115,
  DocumentValidationFailure: 121,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  InvalidIndexSpecificationOption: 197,
  DuplicateKey: 11000,
  BSONObjectTooLarge: 10334,
  KeyTooLong: 17280,
  UpdatedDocumentTooLarge: 17419,
};
const MISTAKE_CODES = new Set<unknown>(Object.values(MISTAKES));
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
    if (error instanceof MongoServerError && error.code === MISTAKES.DuplicateKey && !isUnconfirmed(error)) return null;
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
  return isSafe && refused.length > 0 && refused.every(({ code }) => code === MISTAKES.DuplicateKey);
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
  return isUnconfirmed(error) || !MISTAKE_CODES.has(error.code);
}

/** A refusal that no majority stands behind yet: what refused it may be undone. */
function isUnconfirmed(error: MongoServerError): boolean {
  return 'writeConcernError' in error;
}

/** A certificate that cannot be opened is no outage: it has the codes of one. */
function isOfSocket({ code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall !== 'open' && OF_A_SOCKET.test(String(code));
}

function isOutageOfBulk(error: MongoBulkWriteError): boolean {
  return error.result.getWriteConcernError() !== undefined || refusedBy(error).some(({ code }) => !MISTAKE_CODES.has(code));
}

function maybeWritten(error: Error): boolean {
  return !(error instanceof MongoSystemError || error instanceof MongoNotConnectedError || UNSENT.includes(error.name));
}
