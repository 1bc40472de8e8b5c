import type { KnownBlock, SectionBlock } from '@slack/types';
import { limits } from '../../block-kit/limits.ts';
import type { Message, MessageBlock } from '../../block-kit/message.ts';
import { context, escapeMrkdwn, section } from '../../block-kit/mrkdwn.ts';
import { charactersIn } from '../../block-kit/rule.ts';
import { nativeChart } from '../../output/charts/chart.ts';
import type { Sheet, SheetPage } from '../../questions/view/answer-sheet.ts';
import { countWords } from '../../questions/view/figure-words.ts';
import type { AnswerButtons } from './answer-buttons.ts';

/** A sheet as a message: headline, figures, picture, table, where they come from, buttons. `traces` are mrkdwn. */
export function sheetMessage(sheet: Sheet, buttons: AnswerButtons, traces: readonly string[]): Message {
  return { text: textOf(sheet, traces), blocks: withinMessage(blocksOf(sheet, buttons, traces)) };
}

function blocksOf(sheet: Sheet, { row, turn }: AnswerButtons, traces: readonly string[]): MessageBlock[] {
  const { headline, warnings, fields, chart, table, remarks, page } = sheet;
  const drawn = chart === null ? null : nativeChart(chart);
  return [
    section(headline.marked),
    ...warnings.map((warning) => section(`:warning: ${warning.marked}`)),
    ...(fields.length === 0 ? [] : [fieldsBlock(sheet)]),
    ...(drawn === null ? [] : [drawn]),
    ...(table === null ? [] : [table.block]),
    ...remarks.map((remark) => section(remark.marked)),
    ...(page === null || table === null ? [] : pageBlocks(page, turn)),
    context([sheet.foot.marked, ...traces].join(' · ')),
    ...(row.length === 0 ? [] : [{ type: 'actions' as const, elements: [...row] }]),
  ];
}

function fieldsBlock({ fields }: Sheet): SectionBlock {
  return {
    type: 'section',
    fields: fields
      .slice(0, limits.section.fields)
      .map(({ marked }) => ({ type: 'mrkdwn', text: marked, verbatim: true })),
  };
}

/** Nothing where the whole list is there. */
function pageBlocks(page: SheetPage, turn: SectionBlock['accessory'] | null): KnownBlock[] {
  const { start, end, total } = page;
  if (end - start >= total) return [];
  const block = section(pageText(page));
  return [turn === null || turn === undefined ? block : { ...block, accessory: turn }];
}

function pageText({ start, end, total }: SheetPage): string {
  if (end <= start)
    return `No issue from number ${countWords(start + 1)} on; there ${total === 1 ? 'is' : 'are'} ${countWords(total)}.`;
  const shown = end - start === 1 ? `Issue ${end}` : `Issues ${start + 1}–${end}`;
  return `${shown} of ${countWords(total)}.`;
}

function textOf(
  { headline, warnings, fields, table, remarks, page, foot }: Sheet,
  traces: readonly string[],
): string {
  const isPart = page !== null && page.end - page.start < page.total;
  const sentences = [
    headline.plain,
    ...warnings.map((warning) => warning.plain),
    ...fields.map((field) => field.plain),
    ...(table === null ? [] : [table.text]),
    ...remarks.map((remark) => remark.plain),
    ...(isPart ? [pageText(page)] : []),
    foot.plain,
  ];
  const text = sentences
    .flatMap((sentence) => sentence.split('\n'))
    .filter((sentence) => sentence !== '')
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(' ');
  const last = traces.map((trace) => ` ${trace.charAt(0).toUpperCase()}${trace.slice(1)}.`);
  return `${escapeMrkdwn(text)}${last.join('')}`;
}

/** Each part is small; should they be too much together, the picture goes first, then the table: `text` says the same. */
function withinMessage(blocks: readonly MessageBlock[]): MessageBlock[] {
  const droppable: readonly string[] = ['data_visualization', 'table'];
  let kept = [...blocks];
  for (const type of droppable) {
    if (charactersIn(kept) <= limits.messageCharacters) break;
    kept = kept.filter((block) => block.type !== type);
  }
  return kept;
}
