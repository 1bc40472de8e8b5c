import type { DataTableBlock, KnownBlock, RichTextBlock, TableBlock } from '@slack/types';
import type { MessageBlock } from '../block-kit/message.ts';
import { chartOf } from '../output/charts/chart.ts';
import { isolated } from '../output/text-direction.ts';
import { chartSection } from './pictures/chart-section.ts';

/**
 * Slack takes charts and tables in phases; where it refuses one, the same figures stand as words and as preformatted
 * text. A picture of a file gives way to its own words.
 */
export function plainBlocks(blocks: readonly MessageBlock[]): KnownBlock[] {
  return blocks.map((block) => {
    if (block.type === 'data_visualization') return chartSection(chartOf(block).alt);
    if (block.type === 'image' && 'slack_file' in block) return chartSection(block.alt_text);
    if (block.type === 'data_table') return preformatted(block);
    return block.type === 'table' ? preformatted(block) : block;
  });
}

function preformatted(table: TableBlock | DataTableBlock): RichTextBlock {
  const settings = ('column_settings' in table && table.column_settings) || [];
  const texts = table.rows.map((cells) => cells.map((cell) => wordsIn(cell)));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((cells) => (cells[i] ?? '').length)));
  const lines = texts.map((cells) =>
    cells
      .map((text, i) => {
        const width = widths[i] ?? 0;
        return isolated(settings[i]?.align === 'right' ? text.padStart(width) : text.padEnd(width));
      })
      .join('  ')
      .trimEnd(),
  );
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: lines.join('\n') }] }],
  };
}

/** What a cell shows: its text, or the texts of what is rich in it, such as a link. */
function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  if ('text' in value) return String(value.text);
  return 'elements' in value ? wordsIn(value.elements) : '';
}
