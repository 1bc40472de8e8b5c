import { settled } from '../output/text-direction.ts';

/** Cut between characters as people see them, never inside one; what is left turns nothing around beside it. */
export function shorten(text: string, length: number): string {
  const shown = settled(text);
  if (shown.length <= length) return shown;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(shown)) {
    if (kept.length + segment.length > length - 1) break;
    kept += segment;
  }
  return settled(`${kept}…`);
}
