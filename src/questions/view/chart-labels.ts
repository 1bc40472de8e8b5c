import { limits } from '../../block-kit/limits.ts';
import { shorten } from '../../block-kit/shorten.ts';

/** Names short enough for a chart, none empty, none twice. */
export function chartLabels(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const short = shorten(name.trim(), limits.chart.label) || '(no name)';
    let label = short;
    for (let count = 2; taken.has(label); count += 1) {
      const mark = ` (${count})`;
      label = `${shorten(short, limits.chart.label - mark.length)}${mark}`;
    }
    taken.add(label);
    return label;
  });
}
