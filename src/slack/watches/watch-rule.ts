import { shorten } from '../../block-kit/shorten.ts';
import type { Status } from '../../model/issue.ts';
import type { Threshold, Watch } from '../../model/watch.ts';
import { isolated } from '../../output/text-direction.ts';
import { timeText } from '../../questions/view/figure-words.ts';
import type { SlackParts } from '../app/parts.ts';
import { principalOrNobody } from '../people/principals.ts';
import { namesOf } from './watch-words.ts';

export const NAME_LENGTH = 60;

/** The rule of a watch in plain words, nothing escaped: `Review longer than 3 working days, in WEB, by Service desk`. */
export function ruleWords(watch: Pick<Watch, 'status' | 'threshold' | 'title' | 'calendarName'>): string {
  const { status, threshold, title } = watch;
  return `${named(status.name)} longer than ${thresholdWords(threshold)}, in ${named(title)}${hoursWords(watch)}`;
}

function hoursWords({ threshold, calendarName }: Pick<Watch, 'threshold' | 'calendarName'>): string {
  if (threshold.by === 'time' && threshold.weekdays === true) return ', Monday to Friday around the clock';
  if (calendarName === undefined) return '';
  return calendarName === null ? ', around the clock' : `, by ${named(calendarName)}`;
}

/** A name that keeps the direction of what stands beside it. */
function named(name: string): string {
  return isolated(shorten(name, NAME_LENGTH));
}

/** The same for the person it tells. */
export function notifiesWords({ tells }: Pick<Watch, 'tells'>): string {
  return tells === 'owner' ? 'tells you' : 'tells who is in charge';
}

/** How long is too long, in plain words. */
export function thresholdWords(threshold: Threshold): string {
  return threshold.by === 'time' ? threshold.words : 'usual (85 % of the visits are over by then)';
}

/** The same of one issue, where it is known in figures. */
export function limitWords(threshold: Threshold, thresholdMs: number, dayMs: number): string {
  return threshold.by === 'time' ? threshold.words : `the usual ${timeText(thresholdMs, dayMs)}`;
}

const USUAL = 'STATUS longer than 3 working days in PROJECT';

/** What an account could type for a new watch, of a status and a project it can see. */
export async function exampleRule(
  account: string,
  parts: Pick<SlackParts, 'reporting' | 'people' | 'accounts' | 'log'>,
): Promise<string> {
  const principal = await principalOrNobody(account, parts);
  if (principal === null) return USUAL;
  const [key] = await parts.reporting.exampleKeys(principal, 1);
  if (key === undefined) return USUAL;
  const status = exampleStatus(await parts.reporting.statuses(principal));
  return `${status} longer than 3 working days in ${key.slice(0, key.lastIndexOf('-'))}`;
}

/** A status that can be watched, as it is typed: one of a review where there is one, in quotes where it has blanks. */
export function exampleStatus(statuses: readonly Status[]): string {
  const open = namesOf(statuses);
  const name = open.find((one) => /review/i.test(one)) ?? open[0] ?? 'STATUS';
  return /\s/.test(name) ? `"${name}"` : name;
}
