import { appPhrases } from './app-phrases.ts';
import type { IssueType } from './birth.ts';
import { opsPhrases } from './ops-phrases.ts';
import type { ProjectKey } from './people.ts';
import type { Grid, Phrases } from './phrases.ts';
import type { Random } from './random.ts';
import { webPhrases } from './web-phrases.ts';

const phrases: Readonly<Record<ProjectKey, Phrases>> = {
  WEB: webPhrases,
  APP: appPhrases,
  OPS: opsPhrases,
};

const ATTEMPTS = 8;

/** A line that reads like work, and the thing it is about. */
export interface Wording {
  readonly summary: string;
  readonly subject: string;
}

/** Words that are not among `used` yet, to which they are added; a repetition only when words run out. */
export function writeSummary(
  project: ProjectKey,
  type: IssueType,
  used: Set<string>,
  random: Random,
): Wording {
  const grids = phrases[project][type] ?? phrases[project].Task;
  let wording = compose(random.pick(grids), random);
  for (let attempt = 1; used.has(wording.summary) && attempt < ATTEMPTS; attempt += 1) {
    wording = compose(random.pick(grids), random);
  }
  used.add(wording.summary);
  return wording;
}

function compose(grid: Grid, random: Random): Wording {
  const words = grid.map((column) => random.pick(column)).filter((phrase) => phrase !== '');
  return { summary: words.join(' '), subject: words[0] ?? '' };
}
