import type { Font } from './font.ts';

/** A text no wider than so many pixels at a size, cut between characters as people see them. */
export function cutText(text: string, width: number, size: number, font: Font): string {
  if (font.width(text, size) <= width) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (font.width(`${kept}${segment}…`, size) > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
