/** Primary error codes of SQLite. */
const SQLITE_CODES = new Map<number, string>([
  [3, 'access to the store file is denied: give its folder to the user of the service'],
  [7, 'there is not enough memory for the store: give the process more'],
  [8, 'the store file cannot be written: make its folder writable for the user of the service'],
  [10, 'the disk of the store failed: check the disk, then start again; restore a backup if the file is damaged'],
  [11, 'the store file is damaged: restore a backup (ops store restore)'],
  [13, 'the disk of the store, or of its backup, is full: free some space'],
  [14, 'the store file cannot be opened: it must be a file in a folder that the user of the service can write to'],
  [26, 'the store file is not a store, or its start is damaged: restore a backup (ops store restore)'],
]);

/** Error codes of the operating system, each with what an operator can do. */
const SYSTEM_CODES: Readonly<Record<string, string>> = {
  EACCES: 'give it to the user that runs the service (chown), for example after a command ran as root',
  EPERM: 'give it to the user that runs the service (chown), for example after a command ran as root',
  ENOENT: 'create its folder first, or correct the path',
  EADDRINUSE: 'set PORT or OPS_PORT to a free one',
  EADDRNOTAVAIL: 'set HOST or OPS_HOST to an address of this machine',
  ENOTDIR: 'name a folder, not a file',
  EEXIST: 'name a folder, not a file',
  EISDIR:
    'remove this folder and put the file there; a container engine creates a folder when the file that it mounts is missing',
  EROFS: 'its file system is read-only: mount it writable',
  ENOSPC: 'free some space on its disk',
  EDQUOT: 'raise the quota of the user, or free some space',
  EMFILE: 'raise the limit of open files of the process (ulimit -n)',
  ENFILE: 'raise the limit of open files of the machine',
  EIO: 'check the disk',
  ENAMETOOLONG: 'use a shorter path',
  ELOOP: 'the path has a circle of links: remove it',
};

/** Codes of a condition that can end without a change of the configuration. */
const TEMPORARY_CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO']);
const TEMPORARY_SQLITE_CODES = new Set([7, 10, 13]);

interface SystemError {
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly message?: unknown;
}

/** Returns one line that says what is wrong with a disk, file or address and what to do; null for any other error. */
export function describeOperatorError(error: unknown): string | null {
  const { code, errcode, message } = (error ?? {}) as SystemError;
  if (typeof errcode === 'number') {
    const advice = SQLITE_CODES.get(errcode & 255);
    return advice === undefined ? null : `${advice} (${String(message)})`;
  }
  const advice = typeof code === 'string' ? SYSTEM_CODES[code] : undefined;
  return advice === undefined ? null : `${String(message)}: ${advice}`;
}

/** Returns whether the condition can end by itself, or after help from outside. */
export function isTemporary(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as SystemError;
  if (typeof errcode === 'number') return TEMPORARY_SQLITE_CODES.has(errcode & 255);
  return typeof code === 'string' && TEMPORARY_CODES.has(code);
}
