import { dateMark } from '../../block-kit/mrkdwn.ts';
import type { Instant } from '../../model/issue.ts';
import { shortText } from '../../time/day-text.ts';
import { wallOf, yearOf } from '../../time/wall-clock.ts';
import { escapedNames, type Names } from './names.ts';

/** How people, categories and times are told in a message. */
export interface Words extends Names {
  time(at: Instant): string;
}

/** Tells instants as the clocks of a zone show them; with the year where it is another than at the instant `near`. */
export function timesIn(timeZone: string, near: Instant): (at: Instant) => string {
  const usualYear = yearOf(wallOf(near, timeZone));
  return (at) => shortText(wallOf(at, timeZone), usualYear);
}

/** Escaped, for one reader, with times as plain text: the message names their zone once. */
export function wordsIn(timeZone: string, near: Instant, names: Names): Words {
  return { ...escapedNames(names), time: timesIn(timeZone, near) };
}

/** Escaped, for readers of whatever zone: their own Slack tells the times. */
export function wordsAnywhere(names: Names): Words {
  return { ...escapedNames(names), time: dateMark };
}
