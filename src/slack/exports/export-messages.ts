import { z } from 'zod';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
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
import type { Message } from '../blocks/message.ts';
import { button, escapeMrkdwn } from '../blocks/mrkdwn.ts';

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
export type DeliveryNote = Readonly<z.output<typeof noteSchema>>;

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
export function noFile(
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
