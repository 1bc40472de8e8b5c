import type { TimeSpan } from '../model/delegation.ts';

/** Stretches in order of time, in which those of one meaning that adjoin each other are made one. */
export function joinAdjoining<Stretch extends TimeSpan>(
  stretches: readonly Stretch[],
  meaning: (stretch: Stretch) => string,
): readonly Stretch[] {
  const joined = new Map<string, Stretch[]>();
  for (const stretch of stretches) {
    const alike = joined.get(meaning(stretch)) ?? [];
    const before = alike.at(-1);
    if (before?.until === stretch.from) alike.splice(-1, 1, { ...before, until: stretch.until });
    else alike.push(stretch);
    joined.set(meaning(stretch), alike);
  }
  return [...joined.values()].flat();
}
