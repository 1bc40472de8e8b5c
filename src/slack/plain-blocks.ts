import type { KnownBlock, RichTextBlock, TableBlock } from '@slack/types';

/** Slack takes tables in phases; where it refuses one, the same figures stand as preformatted text. */
export function plainBlocks(blocks: readonly KnownBlock[]): KnownBlock[] {
  return blocks.map((block) => (block.type === 'table' ? preformatted(block) : block));
}

function preformatted({ rows, column_settings: settings = [] }: TableBlock): RichTextBlock {
  const texts = rows.map((cells) => cells.map((cell) => ('text' in cell ? String(cell.text) : '')));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((cells) => (cells[i] ?? '').length)));
  const lines = texts.map((cells) =>
    cells
      .map((text, i) => {
        const width = widths[i] ?? 0;
        return settings[i]?.align === 'right' ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: lines.join('\n') }] }],
  };
}
