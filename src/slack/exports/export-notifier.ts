import { openAsBlob } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import type { AuditLeaving } from '../../api/audit/audit-api.ts';
import type { ExportFile, ExportNotifier } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { failureReference } from '../../concurrency/request-scope.ts';
import { AppError } from '../../model/error.ts';
import type { ExportRecord } from '../../model/export.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import type { ExportParts, ViewParts } from '../app/parts.ts';
import { uploadBlob } from '../app/pictures.ts';
import { postMarked } from '../app/post-message.ts';
import { explainRefusal, isTokenRefused, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import { type AudienceLookups, lastingProblem } from '../channels/audience.ts';
import { type DeliveryNote, exportTitle, fileComment, noFile, readNote } from './export-messages.ts';

interface ExportNotifierParts extends ViewParts, AudienceLookups {
  readonly reporting: Pick<ReportingApi, 'reportTypes' | 'audienceScope' | 'browseScope'>;
  readonly apiUrl: string | undefined;
  readonly audit: AuditLeaving;
}

/**
 * Posts the file of an export once, with what it is in the same message. A file that Slack does not take in its channel, or
 * that not everyone there can see any more, is for its principal alone; so is why there is none.
 */
export function createExportNotifier(parts: ExportNotifierParts): ExportNotifier {
  return {
    async deliver(record, file, storeNote) {
      const known = readNote(record.delivery);
      // The person who stopped an export knows that there is no file.
      if (known === null || known.outcome !== '' || record.state === 'Aborted') return;
      let note = known;
      const save = async (changes: Partial<DeliveryNote>): Promise<DeliveryNote> => {
        note = { ...note, ...changes };
        await storeNote(note);
        return note;
      };
      const explain = async (reason: string): Promise<void> => {
        // At most once: whether a message that failed was posted after all cannot be known.
        const { user } = await save({ outcome: 'explained' });
        const message = noFile(record, file === null ? null : reason, parts.reporting);
        try {
          await postMarked(message, { channel: user, threadTs: null }, null, parts);
        } catch (error) {
          if (isTokenRefused(error)) {
            await save({ outcome: '' });
            throw error;
          }
          parts.log.warn({ err: error, export: record.id }, 'why an export has no file did not arrive');
        }
      };
      if (file === null) return explain('');
      if (!isDirect(note.channel)) {
        const reasons = await sharingProblem(record, note.channel, parts);
        const reason = reasons.length > 0 ? reasons.join(' ') : await share(record, file, note, save, parts);
        if (reason === null) return void (await save({ outcome: 'shared' }));
        const elsewhere = { because: reason, instead: note.channel, channel: note.user, threadTs: '' };
        await save({ ...elsewhere, fileId: '', missed: '' });
      }
      const refused = await share(record, file, note, save, parts);
      if (refused !== null) return explain(refused);
      await save({ outcome: 'shared' });
    },
  };
}

/** Null: the file is there; else why Slack does not take it (mrkdwn). What passes by itself is `unavailable`. */
async function share(
  record: ExportRecord,
  file: ExportFile,
  note: DeliveryNote,
  save: (changes: Partial<DeliveryNote>) => Promise<DeliveryNote>,
  parts: ExportNotifierParts,
): Promise<string | null> {
  try {
    const channel = await conversationId(note.channel, parts.web);
    const placed = channel === note.channel ? note : await save({ channel });
    if (placed.fileId !== '' && (await isShared(placed, save, parts.web))) return null;
    const fileId = await uploadFile(file, { id: record.id, channel, issues: record.total }, parts);
    await save({ fileId, missed: '' });
    const title = exportTitle(record.input, parts.reporting);
    const shown = { title, comment: fileComment(record, placed, parts.reporting) };
    await completeUpload(fileId, shown, { channel, threadTs: placed.threadTs || null }, parts.web);
    return null;
  } catch (error) {
    const code = refusalOf(error);
    if (code !== null) {
      parts.log.warn({ export: record.id, code }, 'Slack refused the file of an export');
      return explainRefusal(code, error);
    }
    const failure = tryAgain(error);
    if (failure instanceof AppError) throw failure;
    const reference = failureReference();
    parts.log.error({ err: error, reference, export: record.id }, 'sharing the file of an export failed');
    return `Something went wrong on our side; the log has it under ${reference}.`;
  }
}

/**
 * An account names the conversation with its person when posting, but not when a file is shared. Without the scope to open
 * that conversation, a message in it says which one it is.
 */
export async function conversationId(channel: string, web: WebClient): Promise<string> {
  if (!isAccount(channel)) return channel;
  try {
    const { channel: opened } = await web.conversations.open({ users: channel });
    return opened?.id ?? channel;
  } catch (error) {
    if (refusalOf(error) !== 'missing_scope') throw error;
    const posted = await web.chat.postMessage({ channel, text: 'Here is your file:' });
    return posted.channel ?? channel;
  }
}

function isAccount(channel: string): boolean {
  return /^[UW]/.test(channel);
}

/**
 * Sends the bytes of a file to Slack and answers its id there; the file is read while it is sent. The audit log has before
 * where it goes, and how many issues are in it.
 */
export async function uploadFile(
  { localPath, fileName }: Pick<ExportFile, 'localPath' | 'fileName'>,
  { id, channel, issues }: { readonly id: string; readonly channel: string; readonly issues: number },
  { web, apiUrl, audit }: Pick<ExportParts, 'web' | 'apiUrl' | 'audit'>,
): Promise<string> {
  const facts = {
    name: fileName,
    issues,
    ...(isAccount(channel) ? { people: { to: channel } } : { channel }),
  };
  await audit.leaving({ subject: { kind: 'file', id }, verb: 'posted', facts });
  return uploadBlob(web, { fileName, blob: await openAsBlob(await localPath()) }, apiUrl);
}

/** Posts an uploaded file with a comment (mrkdwn), in one message. */
export async function completeUpload(
  id: string,
  { title, comment }: { readonly title: string; readonly comment: string },
  { channel, threadTs }: Place,
  web: WebClient,
): Promise<void> {
  await web.files.completeUploadExternal({
    files: [{ id, title }],
    channel_id: channel,
    initial_comment: comment,
    ...(threadTs === null ? {} : { thread_ts: threadTs }),
  });
}

async function isShared(
  { fileId, channel, missed }: DeliveryNote,
  save: (changes: Partial<DeliveryNote>) => Promise<DeliveryNote>,
  web: WebClient,
): Promise<boolean> {
  try {
    const { file } = await web.files.info({ file: fileId });
    const places = [file?.channels, file?.groups, file?.ims].flatMap((some) => some ?? []);
    const shares = [file?.shares?.public, file?.shares?.private];
    if (places.includes(channel) || shares.some((some) => some && Object.hasOwn(some, channel))) return true;
  } catch (error) {
    if (!['file_not_found', 'file_deleted'].includes(refusalOf(error) ?? '')) throw error;
    return false;
  }
  // Slack shares a completed file some time later; only what stays away was never completed.
  if (missed !== '') return false;
  await save({ missed: 'once' });
  throw new AppError('slack-unavailable', "Slack has the file, but doesn't show it yet.");
}

/**
 * Why a file cannot be posted in a channel after all: what is in it, or who reads there, may have changed since it was asked
 * for. None: it can. What passes is `unavailable`.
 */
async function sharingProblem(
  { id, input }: ExportRecord,
  channel: string,
  parts: ExportNotifierParts,
): Promise<readonly string[]> {
  try {
    const scope = await parts.reporting.audienceScope(input.request);
    return await lastingProblem(scope, channel, parts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, export: id }, 'the contents of an export are unknown');
    return ['I can no longer check what is in the file.'];
  }
}
