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
 * Error codes for an invalid command: a retry never helps. Every other error counts as an outage, even with an
 * unknown code: a sharded or failing cluster has many codes, and a useless retry does no harm.
 */
const USAGE_ERRORS = {
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
const USAGE_ERROR_CODES = new Set<unknown>(Object.values(USAGE_ERRORS));
/** Error codes of Node.js for a closed connection; the driver passes some of them through. */
const SOCKET_CODES = /^(E[A-Z]+|EAI_\w+|ERR_(STREAM|SOCKET|TLS)_\w+)$/;
/** Errors without a connection, so nothing was sent. */
const UNSENT = ['WaitQueueTimeoutError', 'MongoPoolClearedError'];

/** Runs work and converts outages. @throws StoreUnavailable for every failure of the server or the network */
export async function translateOutages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = unwrapError(thrown);
    if (!(isNativeError(error) && isOutage(error))) throw thrown;
    throw new StoreUnavailable(error.message, mayBeWritten(error), { cause: error });
  }
}

/** Runs a write. Returns false when its key already exists. */
export async function insertIfAbsent(write: () => Promise<unknown>): Promise<boolean> {
  return (await nullOnDuplicate(write)) !== null;
}

/** Runs a write. Returns null when its key already exists; for an upsert: when its filter does not match. */
export async function nullOnDuplicate<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === USAGE_ERRORS.DuplicateKey && !isUnconfirmed(error))
      return null;
    throw error;
  }
}

/** Drops a collection or an index that may be missing. */
export async function dropIfPresent(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Returns whether the collection of the command does not exist. */
export function isMissing(error: unknown): boolean {
  const isRefused = error instanceof MongoServerError;
  return isRefused && (error.codeName === 'NamespaceNotFound' || error.message === 'ns not found');
}

/** Runs an unordered bulk. Returns the indexes of the writes whose key already exists; throws on any other error. */
export async function findDuplicates(bulk: () => Promise<unknown>): Promise<number[]> {
  try {
    await bulk();
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError && hasOnlyDuplicates(error))) throw error;
    return listWriteErrors(error).map(({ index }) => index);
  }
}

function hasOnlyDuplicates(error: MongoBulkWriteError): boolean {
  const refused = listWriteErrors(error);
  const isSafe = error.result.getWriteConcernError() === undefined;
  return isSafe && refused.length > 0 && refused.every(({ code }) => code === USAGE_ERRORS.DuplicateKey);
}

function listWriteErrors(error: MongoBulkWriteError): readonly { readonly code: number; readonly index: number }[] {
  return [error.writeErrors].flat();
}

/** The driver reports a connection loss during a bulk as if the server had refused a write. */
function unwrapError(thrown: unknown): unknown {
  const isWrapped = thrown instanceof MongoBulkWriteError && isNativeError(thrown.errorResponse);
  return isWrapped ? thrown.errorResponse : thrown;
}

function isOutage(error: Error): boolean {
  if (!(error instanceof MongoError)) return isSocketError(error);
  if (error instanceof MongoWriteConcernError) return true;
  if (error instanceof MongoBulkWriteError) return isBulkOutage(error);
  if (!(error instanceof MongoServerError)) return !(error instanceof MongoInvalidArgumentError);
  return isUnconfirmed(error) || !USAGE_ERROR_CODES.has(error.code);
}

/** Returns whether no majority has acknowledged the state that caused the error: the conflicting write may be undone. */
function isUnconfirmed(error: MongoServerError): boolean {
  return 'writeConcernError' in error;
}

/** An unreadable certificate file has the same codes as a network error, but is not an outage. */
function isSocketError({ code, syscall }: NodeJS.ErrnoException): boolean {
  return syscall !== 'open' && SOCKET_CODES.test(String(code));
}

/** A server that refuses a bulk as a whole reports one code and no error of a single write. */
function isBulkOutage(error: MongoBulkWriteError): boolean {
  const refused = listWriteErrors(error);
  const codes: readonly unknown[] = refused.length === 0 ? [error.code] : refused.map(({ code }) => code);
  return error.result.getWriteConcernError() !== undefined || codes.some((code) => !USAGE_ERROR_CODES.has(code));
}

function mayBeWritten(error: Error): boolean {
  return !(error instanceof MongoSystemError || error instanceof MongoNotConnectedError || UNSENT.includes(error.name));
}
