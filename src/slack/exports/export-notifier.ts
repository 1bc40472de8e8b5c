import { openAsBlob } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { AuditLeaving } from '../../api/audit/audit-api.ts';
import type { ExportFile, ExportNotifier } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import { failureReference } from '../../concurrency/request-scope.ts';
import { AppError } from '../../model/error.ts';
import type { Delivery, ExportInput, ExportRecord } from '../../model/export.ts';
import type { Provenance } from '../../model/table.ts';
import { countOf } from '../../output/figure-words.ts';
import { shorten } from '../../output/readable-text.ts';
import { issuesText } from '../../output/subject-words.ts';
import { incompleteText } from '../../output/table-records.ts';
import { provenanceText } from '../answers/view/answer-warnings.ts';
import { marked } from '../answers/view/marked-wording.ts';
import type { Place } from '../app/handler-types.ts';
import { isDirect } from '../app/hours-here.ts';
import { notice, offer } from '../app/message-texts.ts';
import type { ExportParts, ViewParts } from '../app/parts.ts';
import { uploadBlob } from '../app/pictures.ts';
import { channelIdOf, isAccount, postMarked } from '../app/post-message.ts';
import { explainRefusal, isTokenRefused, refusalOf, tryAgain } from '../app/slack-refusal.ts';
import type { Message } from '../blocks/message.ts';
import { button, escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { type AudienceLookups, lastingAudienceProblem } from '../channels/audience.ts';

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

/** The conversation where a file is shared. Without the scope to open it, a message in it says which one it is. */
export async function conversationId(channel: string, web: WebClient): Promise<string> {
  try {
    return await channelIdOf(channel, web);
  } catch (error) {
    if (refusalOf(error) !== 'missing_scope') throw error;
    const posted = await web.chat.postMessage({ channel, text: 'Here is your file:' });
    return posted.channel ?? channel;
  }
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
    return await lastingAudienceProblem(scope, channel, parts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    parts.log.warn({ err: error, export: id }, 'the contents of an export are unknown');
    return ['I can no longer check what is in the file.'];
  }
}

const noteSchema = z.object({
  /** An account where it is the conversation with that person. */
  channel: z.string().min(1),
  /** Empty outside of threads. */
  threadTs: z.string(),
  user: z.string(),
  userName: z.string(),
  /** The digest it belongs to; empty for none. */
  digest: z.string().default(''),
  /** The channel it was meant for, and why it is not there (mrkdwn); empty where it is there. */
  instead: z.string().default(''),
  because: z.string().default(''),
  /** The upload that was begun; empty before. */
  fileId: z.string().default(''),
  /** `once`: the file is there, but was seen nowhere when it was looked for. */
  missed: z.enum(['', 'once']).default(''),
  /** The end of the delivery: the file is posted, or its principal knows why it is not; empty before. */
  outcome: z.enum(['', 'shared', 'explained']).default(''),
});

/** The note that this door keeps of an export while it is made. */
type DeliveryNote = Readonly<z.output<typeof noteSchema>>;

/** The note of an export whose file is to be posted in a place. */
export function newNote(
  { channel, threadTs }: Place,
  whose: { readonly user: string; readonly userName: string; readonly digest?: string },
): DeliveryNote {
  return noteSchema.parse({ channel, threadTs: threadTs ?? '', ...whose });
}

/** The note of a delivery; null where it is none of this door's. */
export function readNote(delivery: Delivery | null): DeliveryNote | null {
  const parsed = noteSchema.safeParse(delivery?.door === 'slack' ? delivery.note : null);
  return parsed.success ? parsed.data : null;
}

/** An export in plain words, nothing escaped: `Status Duration of project WEB`. */
export function exportTitle(
  { request: { reportType, selection } }: ExportInput,
  { reportTypes }: Pick<ReportingApi, 'reportTypes'>,
): string {
  const report = reportTypes.find(({ id }) => id === reportType)?.title ?? reportType;
  const named = selection.by === 'keys' ? selection.title : undefined;
  return `${report} of ${named ?? issuesText(selection)}`;
}

/** Slack takes longer comments, but no one reads them. */
const TITLE_LENGTH = 300;

function bold(title: string): string {
  return `*${escapeMrkdwn(shorten(title, TITLE_LENGTH))}*`;
}

/** The comment (mrkdwn) that is posted with a file: what it is, how far it can be trusted, and where its figures come from. */
export function fileComment(
  { input, total, provenance }: Pick<ExportRecord, 'input' | 'total' | 'provenance'>,
  note: Pick<DeliveryNote, 'channel' | 'user' | 'because' | 'instead'>,
  reporting: Pick<ReportingApi, 'reportTypes'>,
): string {
  const title = `${exportTitle(input, reporting)} as ${input.type}`;
  return commentText(title, countOf(total, 'issue'), `Durations in ${input.unit}`, provenance, note);
}

/** The same of any file. */
export function commentText(
  title: string,
  size: string,
  unit: string,
  provenance: Provenance | null,
  { channel, user, because, instead }: Pick<DeliveryNote, 'channel' | 'user' | 'because' | 'instead'>,
): string {
  const incomplete = provenance === null ? '' : incompleteText(provenance);
  const head = [bold(title), size, ...(isDirect(channel) ? [] : [`exported by <@${user}>`])];
  return [
    head.join(' · '),
    ...(because === '' ? [] : [`I sent it to you instead of <#${instead}>: ${because}`]),
    ...(incomplete === '' ? [] : [`:warning: Not complete: ${incomplete}.`]),
    [unit, ...(provenance === null ? [] : [provenanceText(provenance, marked)])].join(' · '),
  ].join('\n');
}

/** The line on a file that takes a while; with the id of its export it can be stopped. */
export function preparing(title: string, where: string, id: string): Message {
  const text = `I'm preparing ${bold(title)}. I'll post it in ${where} when it's ready.`;
  return offer(text, button('Stop', 'stop-export', id));
}

/** Why no file is posted, for its principal alone. `refused` (mrkdwn): why Slack does not take it; null: there is none. */
function noFile(
  record: ExportRecord,
  refused: string | null,
  reporting: Pick<ReportingApi, 'reportTypes'>,
): Message {
  const { state, message, id, input } = record;
  const title = bold(`${exportTitle(input, reporting)} as ${input.type}`);
  if (refused === null) {
    const why = state === 'Failed' ? (message ?? '') : 'The file has expired.';
    return notice(`I couldn't create ${title}. ${escapeMrkdwn(why)} Please try again.`);
  }
  const text = `${title} is ready, but I couldn't post it. ${refused}`;
  return offer(text, button('Get the file', 'get-export-file', id));
}
