import type { DataTableBlock, KnownBlock, RichTextBlock, SectionBlock, TableBlock } from '@slack/types';
import { type Chart, chartOf, chartWords, type NativeChart } from '../../output/charts/chart.ts';
import { isolated } from '../../output/readable-text.ts';
import { plainSection, section } from './mrkdwn.ts';

/** A chart that Slack has no block for: it is drawn as a picture before it is sent. */
interface DrawnChart {
  readonly type: 'drawn_chart';
  readonly chart: Chart;
}

/** A block of a message: one of Slack's published types, or a chart. */
export type MessageBlock = KnownBlock | NativeChart | DrawnChart;

/** A message: blocks for those who see them, and a text that says the same for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks: readonly MessageBlock[];
}

/** A section takes 3,000 characters, a message about 13,000 and fifty blocks; people read less. */
const SECTION_CHARACTERS = 2_800;
const MESSAGE_CHARACTERS = 9_000;
const LINES = 60;

/** A line of a message, or what makes it where there may be more lines than are shown. */
export type Line = string | (() => string);

/**
 * Lines below each other, as many as there is room for; the rest is counted. `max` is in
 * characters. Expects them to be escaped.
 */
export function lineBlocks(lines: readonly Line[], max: number = MESSAGE_CHARACTERS): Message {
  const sections: string[] = [];
  let open = '';
  let length = 0;
  let shown = 0;
  for (const made of lines) {
    const line = typeof made === 'string' ? made : made();
    if (shown === LINES || length + line.length > max) break;
    if (open !== '' && open.length + line.length >= SECTION_CHARACTERS) {
      sections.push(open);
      open = '';
    }
    open = open === '' ? line : `${open}\n${line}`;
    length += line.length + 1;
    shown += 1;
  }
  const left = lines.length - shown;
  const all = [
    ...sections,
    ...(open === '' ? [] : [open]),
    ...(left > 0 ? [`… and ${left} more lines.`] : []),
  ];
  return { text: all.join('\n'), blocks: all.map((lines) => section(lines)) };
}

/** No one reads more names in a line. */
const SHOWN = 5;

/** The first few of a list, and how many more there are: `Ada, Bob and 3 more`. */
export function someOf(all: readonly string[], max = SHOWN): string {
  const more = all.length - max;
  return all.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** All of a short list, else the first few: `Ada, Bob and Carl`. */
export function listText(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  if (last === undefined || others.length === 0 || names.length > SHOWN) return someOf(names);
  return `${others.reverse().join(', ')} and ${last}`;
}

/** True if a message holds blocks that not every Slack takes. */
export function canBeRefused({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      ['data_visualization', 'data_table', 'table'].includes(block.type) ||
      (block.type === 'image' && 'slack_file' in block),
  );
}

/** The content of a chart in words. */
export function wordsOf(chart: Chart): string {
  return chart.alt.trim() === '' ? chartWords(chart) : chart.alt;
}

/** The words in place of a chart; a section without text would be refused. */
export function chartSection(words: string): SectionBlock {
  return plainSection(words.trim() === '' ? 'A chart that cannot be shown here.' : words);
}

/** Charts and pictures as words, tables as preformatted text: Slack takes them in phases. */
export function plainBlocks(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.map((block) => {
    if (block.type === 'data_visualization') return chartSection(chartOf(block).alt);
    if (block.type === 'drawn_chart') return chartSection(wordsOf(block.chart));
    if (block.type === 'image' && 'slack_file' in block) return chartSection(block.alt_text);
    return block.type === 'data_table' || block.type === 'table' ? preformatted(block) : block;
  });
}

function preformatted(table: TableBlock | DataTableBlock): RichTextBlock {
  const settings = ('column_settings' in table && table.column_settings) || [];
  const texts = table.rows.map((cells) => cells.map((cell) => cellText(cell)));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((cells) => (cells[i] ?? '').length)));
  const padded = (text: string, i: number) =>
    settings[i]?.align === 'right' ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0);
  const lines = texts.map((cells) =>
    cells
      .map((text, i) => isolated(padded(text, i)))
      .join('  ')
      .trimEnd(),
  );
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: lines.join('\n') }] }],
  };
}

function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellText).join('');
  if (typeof value !== 'object' || value === null) return '';
  if ('text' in value) return String(value.text);
  return 'elements' in value ? cellText(value.elements) : '';
}
