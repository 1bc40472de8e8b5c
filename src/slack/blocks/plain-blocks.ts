import type { DataTableBlock, KnownBlock, RichTextBlock, SectionBlock, TableBlock } from '@slack/types';
import { type Chart, chartOf, chartWords } from '../../output/charts/chart.ts';
import { isolated } from '../../output/readable-text.ts';
import type { Message, MessageBlock } from './message.ts';
import { plainSection } from './mrkdwn.ts';

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
