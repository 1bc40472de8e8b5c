import type { Threshold, Watch } from '../../model/watch.ts';
import { timeText } from '../answers/value-text.ts';
import { shorten } from '../messages/shorten.ts';

const NAME_LENGTH = 60;

/** The rule of a watch in plain words, nothing escaped: `Review longer than 3 working days, in WEB`. */
export function ruleWords({
  status,
  threshold,
  title,
}: Pick<Watch, 'status' | 'threshold' | 'title'>): string {
  const { name } = status;
  return `${shorten(name, NAME_LENGTH)} longer than ${thresholdWords(threshold)}, in ${shorten(title, NAME_LENGTH)}`;
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
