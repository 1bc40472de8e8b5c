import type { Message } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import type { ExportInput } from '../../model/export.ts';
import type { Provenance, Table } from '../../model/table.ts';
import { incompleteText } from '../../output/table-records.ts';
import { provenanceText } from '../../questions/view/foot-text.ts';
import { marked, plain, type Wording } from '../../questions/view/wording.ts';
import { type ExportTitle, exportTitleText } from './export-title.ts';
import { type Preview, previewTable } from './preview-table.ts';

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
