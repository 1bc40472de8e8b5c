import { millisecondsInMinute } from 'date-fns/constants';
import type { Logger } from 'pino';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Instant } from '../../model/issue.ts';
import type { Principal } from '../../model/principal.ts';
import type { ReportRequest } from '../../model/request.ts';
import { stillCovers } from '../access-rules.ts';
import type { ExportFile } from '../exports.ts';
import { createEncryptedTokens } from '../people/tokens.ts';
import type { ReportingApi } from '../reporting.ts';
import type { ExportFiles } from './export-files.ts';
import { exportRequestOf, formatOf } from './write-export.ts';

/** What the file of an export is looked for with. */
interface FileParts {
  readonly files: ExportFiles;
  readonly reporting: Pick<ReportingApi, 'scope' | 'check'>;
  readonly log: Logger;
}

/**
 * The file of an export; `not-found` with the reason when there is none, or when something has been closed to its principal
 * since it was made.
 */
export async function fileOf(
  record: ExportRecord,
  { files, reporting, log }: FileParts,
): Promise<ExportFile> {
  const why = whyNone(record);
  if (why !== null) throw new AppError('not-found', why);
  if (!(await maySeeStill(record, reporting))) {
    throw new AppError(
      'not-found',
      'What you may see has changed since the export was made; please ask for it again.',
    );
  }
  const { extension, mediaType } = formatOf(record.wish);
  const path = files.pathOf(record.id, record.attempts, extension);
  const bytes = await files.sizeOf(path);
  const { fileName, provenance } = record;
  if (bytes === null || fileName === null || provenance === null) {
    log.error({ exportId: record.id }, 'the file of an export is gone from the disk');
    throw new AppError(
      'not-found',
      'The file of the export is gone from the disk; please ask for the export again.',
    );
  }
  return { path, bytes, fileName, mediaType, provenance };
}

async function maySeeStill(
  { wish, scope }: ExportRecord,
  reporting: FileParts['reporting'],
): Promise<boolean> {
  const { principal, creditDelegates } = wish.request;
  if (scope === null || !stillCovers(scope, await reporting.scope(principal, scope))) return false;
  // Who stood in for whom is not told by the scope.
  return creditDelegates === null || mayAskStill(exportRequestOf(wish), reporting);
}

/** What else has become wrong with a request, such as a category that is gone, makes its file no secret. */
async function mayAskStill(request: ReportRequest, reporting: FileParts['reporting']): Promise<boolean> {
  try {
    await reporting.check(request);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    return error.code !== 'not-allowed';
  }
}

function whyNone({ state, message }: ExportRecord): string | null {
  switch (state) {
    case 'Queued':
    case 'Running':
      return 'The export is not completed: it is still being processed.';
    case 'Failed':
    case 'Aborted':
      return `The export failed or was aborted: ${message}`;
    case 'Expired':
      return 'The file of the export has expired.';
    case 'Successful':
      return null;
  }
}

/** Whether a principal may know of an export: it is their own, and they have the rights it was asked for with. */
export function isOwn({ wish }: ExportRecord, principal: Principal): boolean {
  const owner = wish.request.principal;
  return owner.account === principal.account && (principal.rights === 'admin' || owner.rights !== 'admin');
}

/** An export as it stands at an instant: its time may be over before anybody has taken its file away. */
export function asOfNow(record: ExportRecord, now: Instant): ExportRecord {
  const { state, expiresAt } = record;
  return state === 'Successful' && expiresAt !== null && expiresAt <= now
    ? { ...record, state: 'Expired' }
    : record;
}

/** No one learns whether an export of another user exists. */
export function notYours(): AppError {
  return new AppError('not-found', 'The export could not be found or you do not have permission to view it.');
}

/** How long a link may be used. */
const LIFETIME_MS = 15 * millisecondsInMinute;

/** Opaque texts that name an export for a few minutes, and the token (its id) that they were asked for with, if any. */
interface Tickets {
  seal(id: string, token: string | null): Promise<string>;
  /** What is in a ticket; `not-found` for one that is false or old. */
  read(ticket: string): Promise<{ readonly id: string; readonly token: string | null }>;
}

/** Tickets, sealed under a key of their own. */
export function createTickets(key: () => Promise<Uint8Array>, now: () => Instant): Tickets {
  const purpose = 'dwell export ticket';
  const { encrypt, read } = createEncryptedTokens({
    purpose,
    lifetimeMs: LIFETIME_MS,
    key,
    now,
    invalid: invalidLink,
  });
  return {
    seal: (id, token) => encrypt(id, token === null ? {} : { token }),
    async read(ticket) {
      const { sub, token } = await read(ticket);
      return { id: sub, token: typeof token === 'string' ? token : null };
    },
  };
}

/** The link does not lead to a file. */
export function invalidLink(): AppError {
  return new AppError(
    'not-found',
    'The link is not valid, or not any more; links work for 15 minutes. Please ask for the status of the export, which has a new one.',
  );
}
