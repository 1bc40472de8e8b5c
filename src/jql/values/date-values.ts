import { millisecondsInMinute } from 'date-fns/constants';
import { readInstant, readIsoDay } from '../../time/iso-dates.ts';
import type { Compilation } from '../compilation.ts';
import { holds } from './holds.ts';
import { type Moment, readMoment } from './read-moment.ts';
import { type Asked, type Item, idOf, type Values } from './values.ts';

/**
 * Dates. An instant equals a written one when it lies in the same minute, because a query can name no seconds; before
 * and after are exact. A date without a time of day, such as a due date, is compared by the asker's local day, as
 * Jira does: `due <= now()` includes what is due today.
 */
export function dateValues(title: string, compilation: Compilation): Values {
  const read = (asked: Asked) => readMoment(asked, title, compilation);
  return {
    equal: (asked) => {
      const moment = read(asked);
      const minute = Math.floor(moment.at / millisecondsInMinute);
      return (item) => {
        const date = dateOf(item);
        return date.whole ? date.at === moment.day : Math.floor(date.at / millisecondsInMinute) === minute;
      };
    },
    compare: (sign, asked) => {
      const moment = read(asked);
      return (item) => {
        const date = dateOf(item);
        return holds(sign, date.at - bound(date, moment));
      };
    },
    sortKey: (item) => dateOf(item).at,
    descending: true,
  };
}

/** Whether a text is a date, with or without the time of day and its offset. */
export function isDate(text: string): boolean {
  return pattern.test(text);
}

interface DateContent {
  /** Epoch ms; of a whole day, ms of its midnight read as UTC. NaN for what is no date: it compares with nothing. */
  readonly at: number;
  readonly whole: boolean;
}

function bound(date: DateContent, moment: Moment): number {
  return date.whole ? moment.day : moment.at;
}

const pattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[-+]\d{2}:?\d{2}))?$/;

function dateOf(item: Item): DateContent {
  if (typeof item === 'number') return { at: item, whole: false };
  const text = idOf(item);
  const day = readIsoDay(text);
  if (day !== null) return { at: day, whole: true };
  const at = text.includes(' ') ? null : readInstant(text);
  return { at: at?.instant ?? Number.NaN, whole: false };
}
