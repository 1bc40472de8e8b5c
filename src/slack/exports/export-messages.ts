import type { ActionsBlock } from '@slack/types';
import type { Logger } from 'pino';
import type { ExportsApi } from '../../api/exports/exports-api.ts';
import type { ReportingApi } from '../../api/reporting/reporting-api.ts';
import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, percentText, section } from '../../block-kit/mrkdwn.ts';
import { shorten } from '../../block-kit/shorten.ts';
import type { ExportInput, ExportRecord } from '../../model/export.ts';
import type { Selection } from '../../model/request.ts';
import type { Provenance, Table } from '../../model/table.ts';
import { incompleteText } from '../../output/table-records.ts';
import { provenanceText } from '../../questions/view/foot-text.ts';
import { marked, plain, type Wording } from '../../questions/view/wording.ts';
import { button } from '../app/message-texts.ts';
import { firstRows, type Preview, previewTable } from './preview-table.ts';

const KEYS_SHOWN = 5;
const NAME_LENGTH = 80;
const QUERY_LENGTH = 300;

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
  return { report: title, issues: issuesText(request.selection), format: type };
}

/** The same as one text: `Status Duration of project WEB as XLSX`. */
export function exportTitleText({ report, issues, format }: ExportTitle): string {
  return `${report} of ${issues} as ${format}`;
}

/** What issues are meant, in plain words, nothing escaped. */
export function issuesText(selection: Selection): string {
  switch (selection.by) {
    case 'keys': {
      const { keys, title } = selection;
      if (title !== undefined) return shorten(title, NAME_LENGTH);
      const more = keys.length - KEYS_SHOWN;
      return keys.slice(0, KEYS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
    }
    case 'project':
      return `project ${shorten(selection.project, NAME_LENGTH)}`;
    case 'user':
      return `issues of ${shorten(selection.user, NAME_LENGTH)}`;
    case 'savedFilter':
      return `filter ${shorten(selection.id, NAME_LENGTH)}`;
    case 'sprint':
      return `sprint ${shorten(selection.id, NAME_LENGTH)}`;
    case 'jql':
      return selection.title === undefined
        ? `the query ${shorten(selection.jql, QUERY_LENGTH)}`
        : `issues ${shorten(selection.title, NAME_LENGTH)}`;
  }
}

const BAR_LENGTH = 20;

/** How far an export is. `wish` is what was asked for, `user` the id of who asked. */
interface ExportProgress {
  readonly wish: string;
  readonly user: string;
  readonly userName: string;
  readonly completed: number;
  readonly total: number;
}

/** The message of an export that is not at its end: who asked for what, how far it is, and how to end it. */
export function exportProgress({ wish, user, userName, completed, total }: ExportProgress): Message {
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(wish)}`;
  const issues = total === 1 ? '1 issue' : `${total} issues`;
  const share = total === 0 ? 0 : Math.min(1, completed / total);
  const done = Math.floor(share * BAR_LENGTH);
  const bar = `${'█'.repeat(done)}${'░'.repeat(BAR_LENGTH - done)}`;
  return {
    text: `${asked}: ${completed} of ${issues}.`,
    blocks: [section(`${asked}.\n\`${bar}\` ${percentText(share)}, ${completed} of ${issues}`), abort(user)],
  };
}

function abort(user: string): ActionsBlock {
  const plain = (text: string) => ({ type: 'plain_text', text }) as const;
  return {
    type: 'actions',
    elements: [
      {
        ...button('Abort', 'abort-export', user),
        confirm: {
          title: plain('Abort this export?'),
          text: plain('No file will be made.'),
          confirm: plain('Abort'),
          deny: plain('Keep going'),
          style: 'danger',
        },
      },
    ],
  };
}

/** An export without a file in the channel. */
interface EndedExport {
  readonly wish: string;
  readonly userName: string;
  /** What became of it, and what to do about it: whole sentences. */
  readonly sentences: readonly string[];
  /** The id of the export if there is a file that its principal can have all the same; else null. */
  readonly fileOf: string | null;
}

/** What became of an export that brought no file into the channel. */
export function exportEnded({ wish, userName, sentences, fileOf }: EndedExport): Message {
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(wish)}.`;
  const hint = `${userName} can get it with the button, for a day after it was made.`;
  const words = escapeMrkdwn([...sentences, ...(fileOf === null ? [] : [hint])].join(' '));
  const told = { text: `${asked} ${words}`, blocks: [section(`${asked}\n${words}`)] };
  if (fileOf === null) return told;
  const elements = [button('Get the file', 'get-export-file', fileOf)];
  return { ...told, blocks: [...told.blocks, { type: 'actions', elements }] };
}

/** An export whose file is in the channel. */
interface ExportResult {
  readonly words: ExportTitle;
  readonly wish: ExportInput;
  readonly userName: string;
  /** How many issues the file holds. */
  readonly issues: number;
  /** By which the run is found again, over REST and in the log. */
  readonly id: string;
  /** Of all issues of the file; null where it could not be told any more. */
  readonly provenance: Provenance | null;
  /** Of its first issues; null likewise. */
  readonly table: Table | null;
}

/** What came of an export: who asked for what, how far it can be trusted, and its first rows. */
export function exportResult(result: ExportResult): Message {
  const { words, wish, userName, issues, provenance, table } = result;
  const count = issues === 1 ? '1 issue' : `${issues} issues`;
  const asked = `${escapeMrkdwn(userName)} asked for ${escapeMrkdwn(exportTitleText(words))}`;
  const preview = table === null ? null : previewTable(table, wish);
  const warning = warningText(provenance);
  const foot = ({ date, time }: Wording) =>
    [
      `Run ${result.id.slice(0, 8)}`,
      ...(table?.columns.some(({ kind }) => kind === 'duration') ? [`durations in ${wish.unit}`] : []),
      ...(provenance === null ? [] : [provenanceText(provenance, { date, time, words: escapeMrkdwn })]),
      ...(preview === null ? [] : [previewText(preview, table?.issues.length ?? 0, issues)]),
    ].join(' · ');
  return {
    text: [`${asked}: ${count}.`, ...(warning === null ? [] : [warning]), `${foot(plain)}.`].join(' '),
    blocks: [
      section(`${asked}: *${count}*.`),
      ...(warning === null ? [] : [section(`:warning: ${warning}`)]),
      ...(preview === null ? [] : [preview.block]),
      context(foot(marked)),
    ],
  };
}

/** Null where every figure rests on a whole history. */
function warningText(provenance: Provenance | null): string | null {
  if (provenance === null)
    return 'Whether every history behind it is whole could not be told; the file tells it.';
  const incomplete = incompleteText(provenance);
  return incomplete === '' ? null : `Not complete: ${incomplete}.`;
}

function previewText({ lines, columns, allColumns }: Preview, shown: number, issues: number): string {
  const rows = shown >= issues && lines <= issues ? 'all issues' : `the first ${lines} rows`;
  return columns < allColumns ? `shown: ${rows}, ${columns} of ${allColumns} columns` : `shown: ${rows}`;
}

/** Where the file is: in the channel, nowhere, or on our side only and why that is so, in whole sentences. */
export type Whereabouts = 'shared' | 'none' | { readonly keptBecause: string };

/** What the message about an export says at its end. */
export async function endMessage(
  record: ExportRecord,
  userName: string,
  whereabouts: Whereabouts,
  parts: {
    readonly reporting: Pick<ReportingApi, 'reportTypes'>;
    readonly exports: Pick<ExportsApi, 'preview'>;
    readonly log: Logger;
  },
): Promise<Message> {
  const { input: wish, id, total, provenance } = record;
  const words = exportTitle(wish, parts.reporting);
  if (whereabouts === 'shared') {
    const table = await firstRows(wish, parts);
    return exportResult({ words, wish, userName, issues: total, id, provenance, table });
  }
  const isKept = whereabouts !== 'none';
  const sentences = isKept
    ? ['The file is made, but I could not put it here.', whereabouts.keptBecause]
    : whyNone(record);
  return exportEnded({ wish: exportTitleText(words), userName, sentences, fileOf: isKept ? id : null });
}

function whyNone({ state, message }: ExportRecord): readonly string[] {
  if (state === 'Aborted') return ['It was aborted; there is no file.'];
  if (state === 'Failed') return [message ?? 'It failed.', 'Please ask again.'];
  return ['The file is not kept any more. Please ask again.'];
}
