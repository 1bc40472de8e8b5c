import { millisecondsInDay } from 'date-fns/constants';
import type { Instant } from '../../model/issue.ts';
import { whyBadSetName } from '../messages/saved-line.ts';
import { type BuilderForm, isReport } from './builder-form.ts';
import type { Wrong } from './wrong-fields.ts';

/** What is wrong at first sight. */
export function wrongInBuilder(form: BuilderForm, now: Instant): Wrong {
  if (!isReport(form)) return {};
  const name = whyBadSetName(form.saveAs);
  return { ...(name === null ? {} : { 'save-as': name }), ...wrongDays(form, now) };
}

function wrongDays({ range, from, to }: BuilderForm, now: Instant): Wrong {
  if (range !== 'dates') return {};
  if (from === '') return { from: 'From which day on? Without a last day it lasts until now.' };
  // In the east of us the day may have begun.
  if (Date.parse(from) > now + millisecondsInDay) return { from: 'This day is still to come.' };
  return to !== '' && to < from ? { to: 'This must not be before the first day.' } : {};
}
