import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { ExportInput, ExportRecord } from '../../model/export.ts';
import type { Provenance } from '../../model/table.ts';
import { incompleteText } from '../../output/table-records.ts';
import { countOf } from '../../questions/view/figure-words.ts';
import { provenanceText } from '../../questions/view/foot-text.ts';
import { issuesText } from '../../questions/view/subject-words.ts';
import { marked } from '../../questions/view/wording.ts';
import { isDirect } from '../app/hours-here.ts';
import { button } from '../app/message-texts.ts';
import type { DeliveryNote } from './export-notifier.ts';

/** What was asked for, in parts of a sentence: `Status Duration` of `project WEB` as `XLSX`. */
interface ExportTitle {
  readonly report: string;
  readonly issues: string;
  readonly format: string;
}

/** An export in plain words, nothing escaped. */
export function exportTitle(
  { type, request }: ExportInput,
  { reportTypes }: Pick<ReportingApi, 'reportTypes'>,
): ExportTitle {
  const title = reportTypes.find(({ id }) => id === request.reportType)?.title ?? request.reportType;
  const { selection } = request;
  const named = selection.by === 'keys' ? selection.title : undefined;
  return { report: title, issues: named ?? issuesText(selection), format: type };
}

/** The same as one text: `Status Duration of project WEB as XLSX`. */
export function exportTitleText({ report, issues, format }: ExportTitle): string {
  return `${report} of ${issues} as ${format}`;
}

/** Slack takes longer comments, but no one reads them. */
const TITLE_LENGTH = 300;

/** The comment (mrkdwn) that is posted with a file: what it is, how far it can be trusted, and where its figures come from. */
export function fileComment(
  { input, total, provenance }: Pick<ExportRecord, 'input' | 'total' | 'provenance'>,
  note: Pick<DeliveryNote, 'channel' | 'user' | 'because' | 'instead'>,
  reporting: Pick<ReportingApi, 'reportTypes'>,
): string {
  const title = exportTitleText(exportTitle(input, reporting));
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
  const head = [
    `*${escapeMrkdwn(shorten(title, TITLE_LENGTH))}*`,
    size,
    ...(isDirect(channel) ? [] : [`exported by <@${user}>`]),
  ];
  return [
    head.join(' · '),
    ...(because === '' ? [] : [`It isn’t in <#${instead}>, but here for you alone: ${because}`]),
    ...(incomplete === '' ? [] : [`:warning: Not complete: ${incomplete}.`]),
    [unit, ...(provenance === null ? [] : [provenanceText(provenance, marked)])].join(' · '),
  ].join('\n');
}

/** The line on a file that takes a while; with the id of its export it can be stopped. */
export function preparing(title: string, where: string, id: string): Message {
  const text = `I’m preparing *${escapeMrkdwn(shorten(title, TITLE_LENGTH))}*. The file comes to ${where} when it’s ready.`;
  return {
    text,
    blocks: [section(text), { type: 'actions', elements: [button('Stop', 'stop-export', id)] }],
  };
}

/** Why no file is posted, for its principal alone. `refused` (mrkdwn): why Slack does not take it; null: there is none. */
export function noFile(
  record: ExportRecord,
  refused: string | null,
  reporting: Pick<ReportingApi, 'reportTypes'>,
): Message {
  const title = `*${escapeMrkdwn(shorten(exportTitleText(exportTitle(record.input, reporting)), TITLE_LENGTH))}*`;
  const { state, message, id } = record;
  if (refused === null) {
    const why = state === 'Failed' ? (message ?? '') : 'The file has expired.';
    const text = `I couldn’t make ${title}. ${escapeMrkdwn(why)} Please try again.`;
    return { text, blocks: [section(text)] };
  }
  const text = `${title} is ready, but I couldn’t post it. ${refused}`;
  return {
    text,
    blocks: [section(text), { type: 'actions', elements: [button('Get the file', 'get-export-file', id)] }],
  };
}
