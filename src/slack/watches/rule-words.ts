import { shorten } from '../../block-kit/shorten.ts';
import type { Threshold, Watch } from '../../model/watch.ts';
import { isolated } from '../../output/text-direction.ts';
import { timeText } from '../../questions/view/figure-words.ts';

const NAME_LENGTH = 60;

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
export function tellsWords({ tells }: Pick<Watch, 'tells'>): string {
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
